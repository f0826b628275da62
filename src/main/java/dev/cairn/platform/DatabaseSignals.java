package dev.cairn.platform;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.postgresql.Driver;
import org.postgresql.PGConnection;
import org.postgresql.PGProperty;

/**
 * Hears what other replicas say by {@code NOTIFY}, on a connection of its own beside the pool,
 * which it makes again whenever it breaks.
 */
public final class DatabaseSignals implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(DatabaseSignals.class);
  private static final int QUIET_MILLIS = 20_000;
  private static final String SECONDS = "10";
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final CairnConfig.Database config;
  private final String channel;
  private final Consumer<String> heard;
  private final Runnable deaf;
  private final Thread thread;
  private volatile boolean closed;

  /**
   * Begins to listen.
   *
   * @param channel a constant of the code: a plain identifier
   * @param heard takes each signal's payload; must not block
   * @param deaf told whenever signals may have been missed, also at the beginning; must not block
   */
  public DatabaseSignals(
      CairnConfig config, String channel, Consumer<String> heard, Runnable deaf) {
    this.config = config.database();
    this.channel = channel;
    this.heard = heard;
    this.deaf = deaf;
    this.thread = Thread.ofVirtual().name("signals " + channel).start(this::run);
  }

  private void run() {
    while (!closed) {
      try (var opened = new Driver().connect(config.url().orElseThrow(), properties())) {
        listen(opened);
      } catch (SQLException e) {
        if (!closed) {
          LOG.warnf("no signals from the database: %s", e.getMessage());
        }
      }
      pause();
    }
  }

  private Properties properties() {
    var properties = new Properties();
    config.user().ifPresent(user -> PGProperty.USER.set(properties, user));
    config.password().ifPresent(password -> PGProperty.PASSWORD.set(properties, password));
    PGProperty.LOGIN_TIMEOUT.set(properties, SECONDS);
    PGProperty.CONNECT_TIMEOUT.set(properties, SECONDS);
    PGProperty.SOCKET_TIMEOUT.set(properties, SECONDS);
    PGProperty.TCP_KEEP_ALIVE.set(properties, true);
    PGProperty.APPLICATION_NAME.set(properties, "cairn signals");
    return properties;
  }

  private void listen(Connection opened) throws SQLException {
    var signals = opened.unwrap(PGConnection.class);
    try (var statement = opened.createStatement()) {
      statement.execute("listen " + channel);
      deaf.run();
      while (!closed) {
        var news = signals.getNotifications(QUIET_MILLIS);
        if (news.length == 0) {
          statement.execute("select"); // finds out whether the other side is still there
        }
        for (var signal : news) {
          heard.accept(signal.getParameter());
        }
      }
    }
  }

  private void pause() {
    try {
      if (!closed) {
        Thread.sleep(PAUSE);
      }
    } catch (InterruptedException e) {
      closed = true;
    }
  }

  /** Stops to listen. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
