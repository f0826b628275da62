package dev.cairn.access.authentication;

import dev.cairn.access.EmailAddress;
import dev.cairn.access.limit.RateLimiter;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.Ids;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.UniqueRow;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** Creates and finds accounts. */
@ApplicationScoped
public class Accounts {
  private static final int MIN_PASSWORD = 8;
  private static final int MAX_PASSWORD = 128;

  private final Database database;
  private final PasswordHashing passwords;
  private final RateLimiter limiter;
  private final CairnConfig config;

  Accounts(Database database, PasswordHashing passwords, RateLimiter limiter, CairnConfig config) {
    this.database = database;
    this.passwords = passwords;
    this.limiter = limiter;
    this.config = config;
  }

  /**
   * Refuses a sign-up if sign-up is closed, or if the address has tried too often.
   *
   * @param address the network address of the caller
   */
  public void admitSignUp(String address) {
    if (!config.signup().open()) {
      throw Problem.of(ErrorCode.FORBIDDEN, "Sign-up is closed here; ask an administrator.");
    }
    limiter.takeByAddress(
        "sign-ups", address, config.limits().signInsPerMinute(), Duration.ofMinutes(1));
  }

  /** Whether there is no account. */
  public boolean isEmpty() {
    return database.transaction(() -> Account.count() == 0);
  }

  /** The account of an e-mail address, if there is one. */
  public Optional<Account> byEmail(String email) {
    return database.transaction(() -> Account.byEmail(email));
  }

  /** The account of an external identity, if it has one. */
  public Optional<Account> byIdentity(ExternalIdentity identity) {
    return database.transaction(() -> Account.byIdentity(identity.issuer(), identity.subject()));
  }

  /** The account with that id. */
  public Account byId(UUID id) {
    return database.transaction(() -> Account.findById(id));
  }

  /** The account that the service itself created, if it did. */
  public Optional<Account> administrator() {
    return database.transaction(() -> Account.find("isAdministrator").firstResultOptional());
  }

  /** Marks an account as the one that the service itself created. */
  public void setAdministrator(Account account) {
    database.transaction(() -> Account.update("isAdministrator = true where id = ?1", account.id));
  }

  /**
   * Checks the address and the password of a new account, and hashes the password for {@link
   * #create}. Hashing waits for its turn, so this must be called outside of a transaction.
   *
   * @param address the network address of the caller; null if the service itself makes the account
   */
  public String hash(String email, String password, String address) {
    EmailAddress.checked("/email", email);
    return hashed(
        "password",
        password,
        address == null ? PasswordTurn.ofService() : PasswordTurn.ofAddress(address));
  }

  /**
   * Creates an account; {@code ALREADY_EXISTS} if the address has one.
   *
   * @param passwordHash what {@link #hash} returned
   */
  public Account create(String email, String displayName, String passwordHash) {
    var address = EmailAddress.checked("/email", email);
    return database.transaction(
        () -> {
          var account = of(address, displayName);
          account.passwordHash = passwordHash;
          return persisted(account);
        });
  }

  /**
   * Checks and hashes a new password of an account whose present password was verified. Must also
   * be called outside of a transaction.
   */
  String newHash(String password, String email) {
    return hashed("newPassword", password, PasswordTurn.ofAccount(email));
  }

  /** Sets the password of an account; false if it no longer has the present one. */
  boolean setPassword(UUID accountId, String presentHash, String newHash) {
    return database.transaction(
        () ->
            Account.update(
                    "passwordHash = ?1 where id = ?2 and passwordHash = ?3",
                    newHash,
                    accountId,
                    presentHash)
                == 1);
  }

  private String hashed(String member, String password, PasswordTurn turn) {
    checkPassword(member, password);
    return passwords.hash(password, turn);
  }

  private static void checkPassword(String member, String password) {
    if (password.length() < MIN_PASSWORD || password.length() > MAX_PASSWORD) {
      throw Problem.invalid("/" + member, "`" + member + "` must have 8 to 128 characters.");
    }
  }

  /**
   * The account of an external identity that has none yet: a waiting account with its verified
   * address, which nobody could sign in to before, or a new one.
   */
  public Account create(ExternalIdentity identity) {
    return database.transaction(() -> created(identity));
  }

  private static Account created(ExternalIdentity identity) {
    var known = identity.verifiedEmail().flatMap(Account::byEmail);
    var account =
        known
            .filter(a -> a.issuer == null && a.passwordHash == null)
            .orElseGet(
                () ->
                    of(
                        identity
                            .verifiedEmail()
                            .filter(_ -> known.isEmpty())
                            .orElseGet(identity::placeholderEmail),
                        identity.displayName()));
    account.issuer = identity.issuer();
    account.subject = identity.subject();
    return persisted(account);
  }

  /**
   * Makes an account that nobody can sign in to until an external issuer vouches for the address.
   */
  public Account createWaiting(String email, String displayName) {
    var address = EmailAddress.checked("/email", email);
    return database.transaction(() -> persisted(of(address, displayName)));
  }

  private static Account of(String email, String displayName) {
    if (Account.byEmail(email).isPresent()) {
      throw taken();
    }
    var account = new Account();
    account.id = Ids.next();
    account.email = email;
    account.displayName = displayName;
    account.createdAt = Instant.now();
    return account;
  }

  private static Account persisted(Account account) {
    UniqueRow.persist(account, Accounts::taken);
    return account;
  }

  private static Problem taken() {
    return Problem.of(ErrorCode.ALREADY_EXISTS, "This e-mail address has an account already.")
        .hint("Sign in to that account, or use another address.");
  }
}
