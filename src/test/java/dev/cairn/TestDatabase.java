package dev.cairn;

import dev.cairn.embedded.EmbeddedPostgres;
import dev.cairn.platform.EmbeddedDatabase;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;

/** The embedded PostgreSQL under the tests: the real one, new for each run, without fsync. */
public class TestDatabase implements QuarkusTestResourceLifecycleManager {
  static final String ADMIN_EMAIL = "admin@example.org";
  static final String ADMIN_PASSWORD = "correct horse battery";

  private EmbeddedDatabase.Running database;

  @Override
  public Map<String, String> start() {
    try {
      var directory = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "db");
      database = new EmbeddedPostgres().start(directory.toAbsolutePath(), false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Map.of(
        "cairn.database.url",
        database.jdbcUrl(),
        "cairn.database.user",
        database.user(),
        "cairn.database.password",
        database.password(),
        "cairn.secret-key",
        Base64.getEncoder().encodeToString(new byte[32]),
        "cairn.admin.email",
        ADMIN_EMAIL,
        "cairn.admin.password",
        ADMIN_PASSWORD,
        "cairn.demo",
        "true",
        "cairn.signup.open",
        "true",
        "cairn.limits.sign-ins-per-minute",
        "0",
        "cairn.limits.pats-per-hour",
        "0");
  }

  @Override
  public void stop() {
    if (database != null) {
      database.close();
    }
  }
}
