package dev.cairn.platform.database;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.ConfigProvider;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The database under the service, on connections of the tests' own: so they can look into it and
 * fill it also where the service is another process, which gives them no beans.
 */
public final class OwnConnections {
  private OwnConnections() {}

  /** Opens a connection each time, with the same settings as those of the service. */
  public static DataSource dataSource() {
    var config = ConfigProvider.getConfig();
    var dataSource = new PGSimpleDataSource();
    dataSource.setUrl(url());
    dataSource.setUser(config.getValue("cairn.database.user", String.class));
    dataSource.setPassword(config.getValue("cairn.database.password", String.class));
    dataSource.setOptions(
        config.getValue(
            "quarkus.datasource.jdbc.additional-jdbc-properties.options", String.class));
    return dataSource;
  }

  /** A connection without the service's settings, such as its limits of time. */
  public static Connection plain() throws SQLException {
    var config = ConfigProvider.getConfig();
    return DriverManager.getConnection(
        url(),
        config.getValue("cairn.database.user", String.class),
        config.getValue("cairn.database.password", String.class));
  }

  /** The URL of the database. */
  public static String url() {
    return ConfigProvider.getConfig().getValue("cairn.database.url", String.class);
  }

  /** Executes a statement on a connection, which may be in a transaction. */
  public static void execute(Connection connection, String sql, Object... parameters)
      throws SQLException {
    try (var statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      statement.execute();
    }
  }

  /** For single statements, each of which is a transaction; there are no others. */
  public static Database database() {
    return new Database(dataSource(), null, new SimpleMeterRegistry());
  }
}
