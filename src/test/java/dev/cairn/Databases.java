package dev.cairn;

import dev.cairn.platform.database.EmbeddedDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * The PostgreSQL of this process, on which each integration test has a database of its own: to
 * unpack, create and start another one takes seconds.
 */
final class Databases {
  private static final String SUPERUSER = "postgres";

  private static Server server;
  private static int count;

  private Databases() {}

  /** An empty database; it is deleted when it is closed, whoever still uses it. */
  static synchronized EmbeddedDatabase.Running create() throws IOException {
    if (server == null) {
      server = Server.start();
    }
    var name = "cairn_" + ++count;
    server.execute("create database %s owner %s".formatted(name, server.running().user()));
    return new Created(server, name);
  }

  /** It ends with this process. */
  private record Server(EmbeddedDatabase.Running running, String superuserPassword) {
    static Server start() throws IOException {
      var directory =
          Files.createTempDirectory(Files.createDirectories(Path.of("target")), "db")
              .toAbsolutePath();
      var running = TestDatabase.started(directory);
      Runtime.getRuntime().addShutdownHook(new Thread(running::close));
      return new Server(running, Files.readString(directory.resolve("superuser.password")).strip());
    }

    String url(String database) {
      return running.jdbcUrl().replaceFirst("/\\w+\\?", "/" + database + "?");
    }

    void execute(String sql) {
      try (var connection =
              DriverManager.getConnection(url("postgres"), SUPERUSER, superuserPassword);
          var statement = connection.createStatement()) {
        statement.execute(sql);
      } catch (SQLException e) {
        throw new AssertionError(sql, e);
      }
    }
  }

  private record Created(Server server, String name) implements EmbeddedDatabase.Running {
    @Override
    public String jdbcUrl() {
      return server.url(name);
    }

    @Override
    public String user() {
      return server.running().user();
    }

    @Override
    public String password() {
      return server.running().password();
    }

    @Override
    public void onFailure(Runnable action) {
      server.running().onFailure(action);
    }

    @Override
    public void close() {
      server.execute("drop database %s with (force)".formatted(name));
    }
  }
}
