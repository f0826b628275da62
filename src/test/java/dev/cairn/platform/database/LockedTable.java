package dev.cairn.platform.database;

import java.sql.Connection;
import java.sql.SQLException;

/** A table that nobody can read while this is open. */
public record LockedTable(Connection connection) implements AutoCloseable {
  public static LockedTable of(String name) throws SQLException {
    var connection = OwnConnections.plain();
    connection.setAutoCommit(false);
    OwnConnections.execute(connection, "lock table " + name + " in access exclusive mode");
    return new LockedTable(connection);
  }

  @Override
  public void close() throws SQLException {
    connection.rollback();
    connection.close();
  }
}
