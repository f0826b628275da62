package dev.cairn;

import java.sql.Connection;

/** Finds out that a request has come to wait for a lock, so that no test depends on time. */
public final class Waiting {
  private Waiting() {}

  /** Returns when some session of the database waits for a lock. */
  public static void awaitWaiter(Connection connection) throws Exception {
    for (int i = 0; i < 200; i++) {
      try (var statement = connection.createStatement();
          var rows = statement.executeQuery("select from pg_locks where not granted")) {
        if (rows.next()) {
          return;
        }
      }
      Thread.sleep(20);
    }
    throw new AssertionError("no request came to wait");
  }
}
