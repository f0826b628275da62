package dev.cairn.platform.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Binds the parameters of a statement: Java arrays become PostgreSQL arrays. */
final class StatementParameters {
  private StatementParameters() {}

  /** Prepares a statement with its parameters, each of which is one of the types here. */
  static PreparedStatement prepare(Connection connection, String sql, Object[] parameters)
      throws SQLException {
    var statement = connection.prepareStatement(sql);
    try {
      for (int i = 0; i < parameters.length; i++) {
        bind(statement, i + 1, parameters[i]);
      }
      return statement;
    } catch (SQLException | RuntimeException e) {
      statement.close();
      throw e;
    }
  }

  private static void bind(PreparedStatement statement, int i, Object value) throws SQLException {
    switch (value) {
      case null -> statement.setObject(i, null);
      case Instant instant -> statement.setObject(i, instant.atOffset(ZoneOffset.UTC));
      case long[] values ->
          array(statement, i, "int8", LongStream.of(values).boxed().toArray(Long[]::new));
      case int[] values ->
          array(statement, i, "int4", IntStream.of(values).boxed().toArray(Integer[]::new));
      case Long[] values -> array(statement, i, "int8", values);
      case Integer[] values -> array(statement, i, "int4", values);
      case Boolean[] values -> array(statement, i, "bool", values);
      case String[] values -> array(statement, i, "text", values);
      case byte[][] values -> array(statement, i, "bytea", values);
      case UUID[] values -> array(statement, i, "uuid", values);
      case Instant[] values -> array(statement, i, "timestamptz", values);
      default -> statement.setObject(i, value);
    }
  }

  private static void array(PreparedStatement statement, int i, String type, Object[] values)
      throws SQLException {
    statement.setArray(i, statement.getConnection().createArrayOf(type, values));
  }
}
