package dev.cairn.platform.database;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.AgroalConnectionPoolConfiguration.ConnectionValidator;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.security.NamePrincipal;
import io.agroal.api.security.SimplePassword;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.ConfigProvider;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The database under the service, on connections of the tests' own: so they can look into it and
 * fill it also where the service is another process, which gives them no beans.
 */
public final class OwnConnections {
  /** By the URL: where its settings differ, the service is started again on another database. */
  private static final ConcurrentMap<String, Database> DATABASES = new ConcurrentHashMap<>();

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
    return DATABASES.computeIfAbsent(
        url(), _ -> new Database(pool(), null, new SimpleMeterRegistry()));
  }

  /** Keeps connections for a while, since opening one takes longer than most statements. */
  private static DataSource pool() {
    var config = ConfigProvider.getConfig();
    var options = "quarkus.datasource.jdbc.additional-jdbc-properties.options";
    var settings =
        new AgroalDataSourceConfigurationSupplier()
            .connectionPoolConfiguration(
                pool ->
                    pool.maxSize(10)
                        .reapTimeout(Duration.ofSeconds(5))
                        .validateOnBorrow(true)
                        .connectionValidator(ConnectionValidator.defaultValidator())
                        .connectionFactoryConfiguration(
                            factory ->
                                factory
                                    .jdbcUrl(url())
                                    .principal(
                                        new NamePrincipal(
                                            config.getValue("cairn.database.user", String.class)))
                                    .credential(
                                        new SimplePassword(
                                            config.getValue(
                                                "cairn.database.password", String.class)))
                                    .jdbcProperty(
                                        "options", config.getValue(options, String.class))));
    try {
      return AgroalDataSource.from(settings);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
