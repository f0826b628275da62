package dev.cairn;

import java.sql.Connection;

/** Finds out that a request has come to wait for a lock, so that no test depends on time. */
public final class Waiting {
  private Waiting() {}

  /** Returns when some session of the database waits for a lock. */
  public static void awaitWaiter(Connection connection) throws Exception {
    awaitWaiters(connection, 1);
  }

  /** Returns when so many sessions of the database wait for locks. */
  public static void awaitWaiters(Connection connection, int count) throws Exception {
    for (int i = 0; i < 200; i++) {
      try (var statement = connection.createStatement();
          var rows =
              statement.executeQuery(
                  "select count(distinct pid) from pg_locks where not granted")) {
        if (rows.next() && rows.getInt(1) >= count) {
          return;
        }
      }
      Thread.sleep(20);
    }
    throw new AssertionError("no request came to wait");
  }
}
