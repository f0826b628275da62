package dev.cairn.platform.database;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;

/** Reads columns of types that JDBC does not convert by itself. */
public final class Rows {
  private Rows() {}

  /** A {@code timestamptz}; null if the column is null. */
  public static Instant instant(ResultSet row, int column) throws SQLException {
    var time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  /** The same for a column by name. */
  public static Instant instant(ResultSet row, String column) throws SQLException {
    return instant(row, row.findColumn(column));
  }

  /** A {@code timestamptz} that is not null, in milliseconds since 1970. */
  public static long millis(ResultSet row, String column) throws SQLException {
    return instant(row, column).toEpochMilli();
  }

  /** An {@code int[]} without nulls in it; the column is not null. */
  public static int[] ints(ResultSet row, String column) throws SQLException {
    var values = (Integer[]) row.getArray(column).getArray();
    return Arrays.stream(values).mapToInt(Integer::intValue).toArray();
  }
}
