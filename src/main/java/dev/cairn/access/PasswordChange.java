package dev.cairn.access;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.Database;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import java.util.UUID;

/** Changes an account's password, and ends what the old one began; {@code docs/access.md}. */
@ApplicationScoped
public class PasswordChange {
  private final SignIn signIn;
  private final Accounts accounts;
  private final Database database;
  private final Event<Changed> changed;

  /**
   * Told in the transaction that changes a password: whoever keeps sign-ins of the account ends
   * them.
   */
  public record Changed(UUID accountId) {}

  PasswordChange(SignIn signIn, Accounts accounts, Database database, Event<Changed> changed) {
    this.signIn = signIn;
    this.accounts = accounts;
    this.database = database;
    this.changed = changed;
  }

  /**
   * Gives the account a new password. Guesses at the present one count as those at sign-in do.
   *
   * @throws Problem {@link ErrorCode#VALIDATION_ERROR} where the present one is wrong, or the next
   *     one is too short or long
   */
  void change(Caller.SignedIn caller, String current, String next) {
    var email = accounts.byId(caller.accountId()).email;
    try {
      signIn.account(email, current, caller.address());
    } catch (Problem e) {
      throw e.code() == ErrorCode.UNAUTHENTICATED
          ? Problem.invalid("/currentPassword", "`currentPassword` is wrong.")
          : e;
    }
    database.transaction(
        () -> {
          accounts.setPassword(caller.accountId(), next);
          changed.fire(new Changed(caller.accountId()));
          return true;
        });
  }
}
