import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** The PostgreSQL that the measured services and the floors share. */
record Database(int port, String password) {
  private static final String NAME = "cairn";

  /** The embedded one of a service with this data directory. */
  static Database of(Path data) throws Exception {
    return new Database(
        Integer.parseInt(Files.readString(data.resolve("postgres.port")).strip()),
        Files.readString(data.resolve("postgres.password")).strip());
  }

  String jdbcUrl() {
    return "jdbc:" + url();
  }

  /** As the tools of PostgreSQL take it. */
  String url() {
    return "postgresql://127.0.0.1:" + port + "/" + NAME;
  }

  String user() {
    return NAME;
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(jdbcUrl(), user(), password);
  }

  /** Executes statements; returns the first column of the first row, null if there is none. */
  String sql(String statements) throws SQLException {
    try (var connection = connect();
        var statement = connection.createStatement()) {
      if (!statement.execute(statements)) {
        return null;
      }
      var rows = statement.getResultSet();
      return rows.next() ? rows.getString(1) : null;
    }
  }
}
