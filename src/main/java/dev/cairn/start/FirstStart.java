package dev.cairn.start;

import dev.cairn.access.authentication.Accounts;
import dev.cairn.access.authentication.ExternalIssuer;
import dev.cairn.platform.Base64Url;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Database;
import dev.cairn.tenant.SignUp;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import org.jboss.logging.Logger;

/**
 * Creates the first account in an empty database, once for all replicas, and the demo repository.
 */
@Singleton
class FirstStart {
  private static final Logger LOG = Logger.getLogger(FirstStart.class);
  private static final long ADVISORY_LOCK = 0x43_41_49_52_4e_02L;
  private static final int PASSWORD_BYTES = 15;
  private static final String EMBEDDED_ADMIN = "admin@localhost";

  private final CairnConfig config;
  private final Database database;
  private final Accounts accounts;
  private final ExternalIssuer issuer;
  private final SignUp signUp;
  private final DemoRepository demo;
  private final Greeting greeting;

  FirstStart(
      CairnConfig config,
      Database database,
      Accounts accounts,
      ExternalIssuer issuer,
      SignUp signUp,
      DemoRepository demo,
      Greeting greeting) {
    this.config = config;
    this.database = database;
    this.accounts = accounts;
    this.issuer = issuer;
    this.signUp = signUp;
    this.demo = demo;
    this.greeting = greeting;
  }

  void run(@Observes @Priority(100) StartupEvent event) {
    if (!isFirst()) {
      return;
    }
    database.transaction(
        () -> {
          database.first("select pg_advisory_xact_lock(?)", row -> true, ADVISORY_LOCK);
          if (accounts.isEmpty()) {
            createAdmin();
          }
          if (config.demo()) {
            createDemo();
          }
          return true;
        });
  }

  /** One question without a lock, because almost every start is not the first. */
  private boolean isFirst() {
    return database
        .first(
            """
            select not exists (select from account)
                   or (? and not exists (select from organization where name = ?))
            """,
            row -> row.getBoolean(1),
            config.demo(),
            DemoRepository.ORG)
        .orElseThrow();
  }

  /**
   * For the account that the service itself created, never for whoever signed up first: commands of
   * the demo organization are trusted.
   */
  private void createDemo() {
    accounts
        .administrator()
        .ifPresentOrElse(
            demo::createIfMissing,
            () ->
                LOG.warn(
                    "The demo repository is not created: it would belong to the administrator, and"
                        + " none was named by CAIRN_ADMIN_EMAIL when the database was empty."));
  }

  private void createAdmin() {
    var email = config.admin().email();
    if (email.isEmpty() && !config.database().embedded()) {
      return;
    }
    if (issuer.url().isPresent()) {
      email.ifPresent(
          address -> accounts.setAdministrator(signUp.createWaiting(address, "Administrator")));
      return;
    }
    var password = config.admin().password();
    var chosen = password.orElseGet(FirstStart::generatedPassword);
    var admin = signUp.create(email.orElse(EMBEDDED_ADMIN), "Administrator", chosen, null);
    accounts.setAdministrator(admin);
    if (password.isEmpty()) {
      greeting.generated(admin.email, chosen);
    }
  }

  private static String generatedPassword() {
    var bytes = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(bytes);
    return Base64Url.encode(bytes);
  }
}
