package dev.cairn.access.authentication;

import dev.cairn.access.EmailAddress;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/**
 * From which network addresses somebody signed in to an account: those are not kept from it while
 * others guess its password. See {@code docs/access.md}, Sign-in.
 */
@ApplicationScoped
class SignInAddresses {
  /** How long an address is known after a sign-in. */
  private static final Duration KNOWN = Duration.ofDays(30);

  private final Database database;

  SignInAddresses(Database database) {
    this.database = database;
  }

  /** Whether somebody signed in to the account of an e-mail address from there. */
  boolean know(String email, String address, Instant now) {
    return database
        .first(
            """
            select from account a join sign_in_address s on s.account_id = a.id
            where a.email = ? and s.address = ? and s.expires_at > ?
            """,
            _ -> true,
            EmailAddress.folded(email),
            address,
            now)
        .isPresent();
  }

  /** Remembers that somebody signed in to an account from there. */
  void remember(UUID accountId, String address, Instant now) {
    database.update(
        """
        insert into sign_in_address (account_id, address, expires_at) values (?, ?, ?)
        on conflict (account_id, address) do update set expires_at = excluded.expires_at
        """,
        accountId,
        address,
        now.plus(KNOWN));
  }

  /**
   * Deletes the addresses of an account: somebody that knew its old password may have signed in.
   */
  void delete(UUID accountId) {
    database.update("delete from sign_in_address where account_id = ?", accountId);
  }
}
