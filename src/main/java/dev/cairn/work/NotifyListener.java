package dev.cairn.work;

import dev.cairn.platform.CairnConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.postgresql.Driver;
import org.postgresql.PGConnection;
import org.postgresql.PGProperty;

/**
 * Receives the notifications of a PostgreSQL channel ({@code LISTEN}, {@code NOTIFY}) on a
 * connection of its own, outside of the pool, and reconnects when that connection breaks.
 */
public final class NotifyListener implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(NotifyListener.class);
  private static final int WAIT_MILLIS = 20_000;
  private static final String TIMEOUT_SECONDS = "10";
  private static final Duration RECONNECT_PAUSE = Duration.ofSeconds(1);

  private final CairnConfig.Database config;
  private final String channel;
  private final Consumer<String> onNotify;
  private final Runnable onConnect;
  private final Thread thread;
  private final CountDownLatch closing = new CountDownLatch(1);

  /**
   * Begins to listen.
   *
   * @param channel a constant of the code: a plain identifier
   * @param onNotify takes the payload of each notification; must not block. If it throws, the
   *     notification is logged and skipped, because any client of the database can send one.
   * @param onConnect called when the connection is made, at the beginning and after each break,
   *     since notifications may have been missed; must not block
   */
  public NotifyListener(
      CairnConfig config, String channel, Consumer<String> onNotify, Runnable onConnect) {
    this.config = config.database();
    this.channel = channel;
    this.onNotify = onNotify;
    this.onConnect = onConnect;
    this.thread = Thread.ofVirtual().name("listen " + channel).start(this::run);
  }

  private void run() {
    while (!isClosed()) {
      try (var opened = new Driver().connect(config.url().orElseThrow(), properties())) {
        listen(opened);
      } catch (SQLException | RuntimeException e) {
        if (!isClosed()) {
          LOG.warnf("no notifications from the database: %s", e.getMessage());
        }
      }
      pause();
    }
  }

  private Properties properties() {
    var properties = new Properties();
    config.user().ifPresent(user -> PGProperty.USER.set(properties, user));
    config.password().ifPresent(password -> PGProperty.PASSWORD.set(properties, password));
    PGProperty.LOGIN_TIMEOUT.set(properties, TIMEOUT_SECONDS);
    PGProperty.CONNECT_TIMEOUT.set(properties, TIMEOUT_SECONDS);
    PGProperty.SOCKET_TIMEOUT.set(properties, TIMEOUT_SECONDS);
    PGProperty.TCP_KEEP_ALIVE.set(properties, true);
    PGProperty.APPLICATION_NAME.set(properties, "cairn listen");
    return properties;
  }

  private void listen(Connection opened) throws SQLException {
    var notifications = opened.unwrap(PGConnection.class);
    try (var statement = opened.createStatement()) {
      statement.execute("listen " + channel);
      onConnect.run();
      while (!isClosed()) {
        var received = notifications.getNotifications(WAIT_MILLIS);
        if (received.length == 0) {
          statement.execute("select"); // finds out whether the connection still works
        }
        for (var notification : received) {
          accept(notification.getParameter());
        }
      }
    }
  }

  private void accept(String payload) {
    try {
      onNotify.accept(payload);
    } catch (RuntimeException e) {
      LOG.warnf("a notification on %s is skipped: %s", channel, e);
    }
  }

  private boolean isClosed() {
    return closing.getCount() == 0;
  }

  private void pause() {
    try {
      if (closing.await(RECONNECT_PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.debugf("no longer listening on %s", channel);
      }
    } catch (InterruptedException e) {
      close();
    }
  }

  /** Stops listening. */
  @Override
  public void close() {
    closing.countDown();
    thread.interrupt();
  }
}
