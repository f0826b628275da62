package dev.cairn.platform.database;

import dev.cairn.platform.CairnConfig;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.Properties;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * Readiness: the database accepts connections. It is checked with a connection outside of the pool:
 * if the pool is exhausted, requests should wait here rather than be sent to another replica.
 */
@Readiness
@Singleton
class DatabaseHealth implements HealthCheck {
  private static final String NAME = "database";
  private static final String SECONDS = "2";
  private static final String TOO_MANY_CONNECTIONS = "53300";

  /** How long a result is reused, so that frequent probes cost nothing. */
  private static final long GOOD_NANOS = 1_000_000_000;

  private final CairnConfig.Database config;
  private HealthCheckResponse last;
  private long lastAt;

  DatabaseHealth(CairnConfig config) {
    this.config = config.database();
  }

  @Override
  public synchronized HealthCheckResponse call() {
    if (last == null || System.nanoTime() - lastAt > GOOD_NANOS) {
      last = isReachable() ? HealthCheckResponse.up(NAME) : HealthCheckResponse.down(NAME);
      lastAt = System.nanoTime();
    }
    return last;
  }

  private boolean isReachable() {
    var properties = new Properties();
    config.user().ifPresent(user -> PGProperty.USER.set(properties, user));
    config.password().ifPresent(password -> PGProperty.PASSWORD.set(properties, password));
    PGProperty.LOGIN_TIMEOUT.set(properties, SECONDS);
    PGProperty.CONNECT_TIMEOUT.set(properties, SECONDS);
    PGProperty.SOCKET_TIMEOUT.set(properties, SECONDS);
    PGProperty.APPLICATION_NAME.set(properties, "cairn health");
    try (var connection = new Driver().connect(config.url().orElseThrow(), properties)) {
      return connection != null;
    } catch (SQLException e) {
      return TOO_MANY_CONNECTIONS.equals(e.getSQLState());
    }
  }
}
