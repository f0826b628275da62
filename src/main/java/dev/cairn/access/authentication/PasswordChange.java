package dev.cairn.access.authentication;

import dev.cairn.access.Caller;
import dev.cairn.access.audit.AccountAudit;
import dev.cairn.access.limit.CredentialLimiter;
import dev.cairn.access.limit.RateLimiter;
import dev.cairn.access.session.Sessions;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Map;

/** Changes an account's password, and ends what the old one began; {@code docs/access.md}. */
@ApplicationScoped
public class PasswordChange {
  private final SignIn signIn;
  private final Accounts accounts;
  private final Sessions sessions;
  private final SignInAddresses addresses;
  private final AccountAudit audit;
  private final CredentialLimiter credentialLimiter;
  private final RateLimiter limiter;
  private final int perHour;

  PasswordChange(
      SignIn signIn,
      Accounts accounts,
      Sessions sessions,
      SignInAddresses addresses,
      AccountAudit audit,
      CredentialLimiter credentialLimiter,
      RateLimiter limiter,
      CairnConfig config) {
    this.signIn = signIn;
    this.accounts = accounts;
    this.sessions = sessions;
    this.addresses = addresses;
    this.audit = audit;
    this.credentialLimiter = credentialLimiter;
    this.limiter = limiter;
    this.perHour = config.limits().sessionsPerHour();
  }

  /**
   * Gives the account a new password, and ends all of its sessions except the caller's. Wrong
   * present passwords count as failed sign-ins.
   *
   * @throws Problem {@link ErrorCode#VALIDATION_ERROR} if the present one is wrong, or the next one
   *     is too short or long; {@link ErrorCode#RATE_LIMITED}
   */
  void change(Caller.SignedIn caller, String current, String next) {
    limiter.take("passwords", "account:" + caller.accountId(), perHour, Duration.ofHours(1));
    var email = accounts.byId(caller.accountId()).email;
    var verified = verified(email, current, caller.address());
    var hash = accounts.newHash(next, email);
    credentialLimiter.ofAccount(
        caller.accountId(),
        () -> {
          sessions.lockAccount(caller);
          if (!accounts.setPassword(caller.accountId(), verified.passwordHash, hash)) {
            throw wrong();
          }
          audit.record(
              caller.accountId(), "password.changed", "password", caller.address(), Map.of());
          sessions.endOthersOfLocked(caller);
          addresses.delete(caller.accountId());
          return true;
        });
  }

  private Account verified(String email, String password, String address) {
    try {
      return signIn.verified(email, password, address);
    } catch (Problem e) {
      throw e.code() == ErrorCode.UNAUTHENTICATED ? wrong() : e;
    }
  }

  private static Problem wrong() {
    return Problem.invalid("/currentPassword", "`currentPassword` is wrong.");
  }
}
