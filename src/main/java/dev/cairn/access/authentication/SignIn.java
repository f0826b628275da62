package dev.cairn.access.authentication;

import dev.cairn.access.EmailAddress;
import dev.cairn.access.audit.AccountAudit;
import dev.cairn.access.limit.CredentialLimiter;
import dev.cairn.access.limit.RateLimiter;
import dev.cairn.access.session.RefreshTokens;
import dev.cairn.access.session.Session;
import dev.cairn.access.session.Sessions;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Database;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Sign-in by e-mail address and password, for scripts; see {@code docs/access.md}, Sign-in. */
@ApplicationScoped
public class SignIn {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final int MAX_EMAIL = 254;

  /** The failure limit of an account over all addresses, as a multiple of an address's limit. */
  private static final int FAILURES_OF_ACCOUNT = 10;

  private final PasswordHashing passwords;
  private final AccessTokens accessTokens;
  private final RefreshTokens refreshTokens;
  private final Sessions sessions;
  private final SignInAddresses addresses;
  private final AccountAudit audit;
  private final Database database;
  private final RateLimiter limiter;
  private final CredentialLimiter credentialLimiter;
  private final int signInsPerMinute;
  private final MeterRegistry metrics;

  /**
   * The tokens that a sign-in issues.
   *
   * @param expiresAt when the access token expires
   */
  @RegisterForReflection
  public record Tokens(String accessToken, String refreshToken, Instant expiresAt) {}

  SignIn(
      PasswordHashing passwords,
      AccessTokens accessTokens,
      RefreshTokens refreshTokens,
      Sessions sessions,
      SignInAddresses addresses,
      AccountAudit audit,
      Database database,
      RateLimiter limiter,
      CredentialLimiter credentialLimiter,
      CairnConfig config,
      MeterRegistry metrics) {
    this.metrics = metrics;
    this.passwords = passwords;
    this.accessTokens = accessTokens;
    this.refreshTokens = refreshTokens;
    this.sessions = sessions;
    this.addresses = addresses;
    this.audit = audit;
    this.database = database;
    this.limiter = limiter;
    this.credentialLimiter = credentialLimiter;
    this.signInsPerMinute = config.limits().signInsPerMinute();
  }

  /** Issues tokens for an e-mail address and a password. */
  public Tokens byPassword(String email, String password, String address, String baseUrl) {
    var now = Instant.now();
    return byPassword(
        email,
        password,
        address,
        account -> {
          var session = Session.signIn(account.id);
          return tokens(account, session, refreshTokens.begin(session, address, now), baseUrl, now);
        });
  }

  /**
   * Begins a session for an e-mail address and a password, in a transaction that locks the account
   * against a change of the password. If the password was changed after it was compared, the answer
   * is that to a wrong password.
   *
   * @param address the network address of the caller
   * @param begin begins the session of the account
   */
  public <T> T byPassword(
      String email, String password, String address, Function<Account, T> begin) {
    return counted(
        "password",
        () -> {
          var account = matching(email, password, address);
          return credentialLimiter
              .ofAccount(account.id, () -> begun(account, address, begin))
              .orElseThrow(() -> wrong(email, address));
        });
  }

  private <T> Optional<T> begun(Account account, String address, Function<Account, T> begin) {
    if (!sessions.hold(account.id, account.passwordHash)) {
      return Optional.empty();
    }
    addresses.remember(account.id, address, Instant.now());
    return Optional.of(begin.apply(account));
  }

  /**
   * The account of an e-mail address and its password. An unknown account and a wrong password give
   * the same answer after the same time.
   *
   * <p>Each network address has its own limit. An account's limit counts the failures of all
   * addresses, and blocks only addresses that are new to it: so guessing does not lock the owner of
   * an account out. Nor does a known address wait for the passwords of others.
   *
   * @param address the network address of the caller
   */
  Account verified(String email, String password, String address) {
    return counted("password", () -> matching(email, password, address));
  }

  private Account matching(String email, String password, String address) {
    limiter.takeByAddress("sign-ins", address, signInsPerMinute, MINUTE);
    if (email.length() > MAX_EMAIL) {
      throw Problem.invalid("/email", "`email` may have at most 254 characters.");
    }
    boolean isKnown = addresses.know(email, address, Instant.now());
    if (!isKnown) {
      limiter.check("failed sign-ins", key(email), failuresPerMinute(), MINUTE);
    }
    var account = find(email);
    var turn = isKnown ? PasswordTurn.ofAccount(email) : PasswordTurn.ofAddress(address);
    if (!passwords.matches(password, account == null ? null : account.passwordHash, turn)) {
      throw wrong(email, address);
    }
    return account;
  }

  /**
   * Records a failure and counts it in one transaction, because otherwise it would take longer for
   * an address that has an account. Sign-ins that the limiter refuses are recorded too.
   *
   * @return the answer to a wrong password, or the limiter's refusal
   */
  private Problem wrong(String email, String address) {
    return credentialLimiter.ofAddress(
        key(email),
        address,
        () -> {
          audit.signInFailed(email, address);
          try {
            limiter.take("failed sign-ins", key(email), failuresPerMinute(), MINUTE);
            return Problem.of(
                ErrorCode.UNAUTHENTICATED, "The e-mail address or the password is wrong.");
          } catch (Problem e) {
            return e;
          }
        });
  }

  private static String key(String email) {
    return "account:" + EmailAddress.folded(email);
  }

  private int failuresPerMinute() {
    return (int) Math.min(Integer.MAX_VALUE, (long) signInsPerMinute * FAILURES_OF_ACCOUNT);
  }

  /** Issues new tokens for a refresh token, which can be used only once. */
  public Tokens byRefreshToken(String refreshToken, String address, String baseUrl) {
    var now = Instant.now();
    var renewed = counted("refresh", () -> renewed(refreshToken, address, now));
    Account account = database.transaction(() -> Account.findById(renewed.session().accountId()));
    return tokens(account, renewed.session(), renewed.refreshToken(), baseUrl, now);
  }

  private RefreshTokens.Renewed renewed(String refreshToken, String address, Instant now) {
    return credentialLimiter
        .ofAddress(
            refreshToken,
            address,
            () -> refreshTokens.renew(refreshToken, Session.SIGN_IN, address, now))
        .orElseThrow(
            () ->
                Problem.of(
                    ErrorCode.UNAUTHENTICATED,
                    "The refresh token is not valid: expired, used before, or wrong."));
  }

  /** Ends the session that a refresh token belongs to, whether it was used before or not. */
  void end(String refreshToken, String address) {
    credentialLimiter.ofAddress(
        refreshToken,
        address,
        () -> {
          refreshTokens.end(refreshToken, Session.SIGN_IN, Session.Ending.SIGNED_OUT, address);
          return true;
        });
  }

  private <T> T counted(String method, Supplier<T> signIn) {
    var outcome = "succeeded";
    try {
      return signIn.get();
    } catch (Problem e) {
      outcome = e.code() == ErrorCode.RATE_LIMITED ? "limited" : "failed";
      throw e;
    } finally {
      metrics.counter("cairn.sign.ins", "method", method, "outcome", outcome).increment();
    }
  }

  private Account find(String email) {
    return database.transaction(() -> Account.byEmail(email).orElse(null));
  }

  private Tokens tokens(
      Account account, Session session, String refreshToken, String baseUrl, Instant now) {
    var purpose = new AccessTokens.Purpose(baseUrl, session.clientId(), session.scope());
    return new Tokens(
        accessTokens.issue(account, session.id(), baseUrl, purpose, now),
        refreshToken,
        now.plus(AccessTokens.LIFETIME));
  }
}
