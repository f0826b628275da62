package dev.cairn.access.authentication;

import dev.cairn.access.EmailAddress;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/**
 * The network addresses from which an account was signed in to: these are not blocked while others
 * guess its password. See {@code docs/access.md}, Sign-in.
 */
@ApplicationScoped
class SignInAddresses {
  /** How long an address is known after a sign-in. */
  private static final Duration LIFETIME = Duration.ofDays(30);

  private final Database database;

  SignInAddresses(Database database) {
    this.database = database;
  }

  /** Whether the account of an e-mail address was signed in to from a network address. */
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

  /** Remembers a sign-in to an account from a network address. */
  void remember(UUID accountId, String address, Instant now) {
    database.update(
        """
        insert into sign_in_address (account_id, address, expires_at) values (?, ?, ?)
        on conflict (account_id, address) do update set expires_at = excluded.expires_at
        """,
        accountId,
        address,
        now.plus(LIFETIME));
  }

  /** Deletes the addresses of an account: whoever knew its old password may have signed in. */
  void delete(UUID accountId) {
    database.update("delete from sign_in_address where account_id = ?", accountId);
  }
}
