package dev.cairn;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.BooleanSupplier;

/** Finds out that a request has come to wait for a lock, so that no test depends on time. */
public final class Waiting {
  private Waiting() {}

  /** Returns when some session of the database waits for a lock. */
  public static void awaitWaiter(Connection connection) throws Exception {
    awaitWaiters(connection, 1);
  }

  /** Returns when some session of the database waits for this one. */
  public static void awaitBlockedBy(Connection holder) throws Exception {
    Eventually.await(
        "a session waits for this one",
        () -> {
          try (var statement = holder.createStatement();
              var rows =
                  statement.executeQuery(
                      """
                      select from pg_stat_activity
                      where pg_backend_pid() = any (pg_blocking_pids(pid))
                      """)) {
            return rows.next();
          }
        });
  }

  /** Returns when so many sessions of the database wait for locks. */
  public static void awaitWaiters(Connection connection, int count) throws Exception {
    awaitWaitersUnless(connection, count, () -> false);
  }

  /** The same, or earlier if something is over that was expected to wait. */
  public static void awaitWaitersUnless(Connection connection, int count, BooleanSupplier isOver)
      throws Exception {
    Eventually.await(
        count + " sessions wait for locks",
        () -> waiters(connection) >= count || isOver.getAsBoolean());
  }

  /** Whether any session of the database waits for a lock. */
  public static boolean isAnyone(Connection connection) throws SQLException {
    return waiters(connection) > 0;
  }

  /** How many sessions of the database wait for locks. */
  public static int waiters(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var rows =
            statement.executeQuery("select count(distinct pid) from pg_locks where not granted")) {
      rows.next();
      return rows.getInt(1);
    }
  }
}
