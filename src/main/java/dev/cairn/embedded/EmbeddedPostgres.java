package dev.cairn.embedded;

import dev.cairn.platform.Base64Url;
import dev.cairn.platform.database.EmbeddedDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.postgresql.Driver;

/**
 * Runs PostgreSQL's own programs on a directory that one service at a time has locked. The server
 * listens on 127.0.0.1 only, requires a password, and has no socket in the file system. The
 * superuser can run programs as the owner of the cluster, so it has its own password, which is used
 * only at startup.
 *
 * <p>If a service is killed, its server keeps running; the next start stops it before it starts its
 * own.
 */
public final class EmbeddedPostgres implements EmbeddedDatabase {
  static final String SUPERUSER = "postgres";
  private static final String NAME = "cairn";
  private static final int PASSWORD_BYTES = 32;

  @Override
  public Running start(Path directory, boolean durable) {
    try {
      var home = PrivateFiles.directory(directory).toRealPath();
      var lock = DirectoryLock.take(home);
      try {
        return start(home, durable, lock);
      } catch (IOException | RuntimeException e) {
        lock.close();
        throw e;
      }
    } catch (IOException e) {
      throw new IllegalStateException(
          "The embedded PostgreSQL in %s cannot start: %s".formatted(directory, e), e);
    }
  }

  private static Running start(Path home, boolean durable, DirectoryLock lock) throws IOException {
    var programs = Programs.unpack(home.resolve("bin"), freshLog(home));
    var cluster = new Cluster(home, programs);
    var superuserFile = home.resolve("superuser.password");
    if (cluster.exists()) {
      cluster.stopLeftover();
    } else {
      PrivateFiles.write(superuserFile, randomPassword());
      cluster.create(superuserFile);
    }
    var password = password(home.resolve("postgres.password"));
    var port = cluster.start(durable);
    try {
      ensureDatabase(port, PrivateFiles.read(superuserFile), password);
    } catch (SQLException e) {
      cluster.stop();
      throw new IllegalStateException(
          "The embedded PostgreSQL cannot be used with the password of %s: %s"
              .formatted(superuserFile, e.getMessage()),
          e);
    }
    return new Server(cluster, lock, port, password);
  }

  /** The service's password, generated at the first start. */
  private static String password(Path file) throws IOException {
    if (Files.notExists(file)) {
      PrivateFiles.write(file, randomPassword());
    }
    return PrivateFiles.read(file);
  }

  private static Path freshLog(Path home) throws IOException {
    var log = home.resolve("postgres.log");
    if (Files.exists(log)) {
      Files.move(log, home.resolve("postgres.log.1"), StandardCopyOption.REPLACE_EXISTING);
    }
    return log;
  }

  private static String randomPassword() {
    var bytes = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(bytes);
    return Base64Url.encode(bytes);
  }

  /** Checks at each start, so that an interrupted first start is completed by the next one. */
  private static void ensureDatabase(int port, String superuserPassword, String password)
      throws SQLException {
    try (var connection = superuser(port, superuserPassword);
        var statement = connection.createStatement()) {
      if (isAbsent(statement, "SELECT FROM pg_roles WHERE rolname = '" + NAME + "'")) {
        statement.execute("CREATE ROLE " + NAME + " LOGIN");
      }
      // ALTER ROLE takes no parameters.
      statement.execute("ALTER ROLE " + NAME + " PASSWORD " + statement.enquoteLiteral(password));
      if (isAbsent(statement, "SELECT FROM pg_database WHERE datname = '" + NAME + "'")) {
        statement.execute("CREATE DATABASE " + NAME + " OWNER " + NAME);
      }
    }
  }

  /** Does not use the DriverManager, which sees only drivers of its caller's class loader. */
  private static Connection superuser(int port, String password) throws SQLException {
    var properties = new Properties();
    properties.setProperty("user", SUPERUSER);
    properties.setProperty("password", password);
    return new Driver().connect(url(port, "postgres"), properties);
  }

  private static boolean isAbsent(Statement statement, String query) throws SQLException {
    try (var rows = statement.executeQuery(query)) {
      return !rows.next();
    }
  }

  /**
   * The URL of a database. The driver must use only a server that proves by SCRAM that it knows the
   * password, and must never send the password itself: when PostgreSQL has stopped, any process on
   * this machine may take its port. By default the driver sends the password if the server requests
   * it, and also uses a server that requests none.
   */
  static String url(int port, String database) {
    return "jdbc:postgresql://%s:%d/%s?requireAuth=scram-sha-256"
        .formatted(Cluster.HOST, port, database);
  }

  private record Server(Cluster cluster, DirectoryLock lock, int port, String password)
      implements Running {
    @Override
    public void onFailure(Runnable action) {
      try {
        cluster.onFailure(action);
      } catch (IOException e) {
        throw new UncheckedIOException("The embedded PostgreSQL cannot be watched", e);
      }
    }

    @Override
    public String jdbcUrl() {
      return url(port, NAME);
    }

    @Override
    public String user() {
      return NAME;
    }

    @Override
    public void close() {
      try (lock) {
        cluster.stop();
      } catch (IOException e) {
        throw new UncheckedIOException("The embedded PostgreSQL did not stop cleanly", e);
      }
    }

    /** Without the password. */
    @Override
    public String toString() {
      return jdbcUrl();
    }
  }
}
