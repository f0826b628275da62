package dev.cairn;

import dev.cairn.platform.database.EmbeddedDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What became of the runs of a repository, as the database under several replicas has it. */
record RunStatuses(EmbeddedDatabase.Running database) {
  private static final String COUNTS =
      """
      select r.status, count(*) from action_run r join repository p on p.id = r.repo_id
      where p.name = ? group by r.status
      """;

  /** Counts by status. */
  Map<String, Long> of(String repository) throws SQLException {
    try (var connection = connect()) {
      return of(connection, repository);
    }
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
  }

  private static Map<String, Long> of(Connection connection, String repository)
      throws SQLException {
    var statuses = new TreeMap<String, Long>();
    try (var statement = connection.prepareStatement(COUNTS)) {
      statement.setString(1, repository);
      try (var rows = statement.executeQuery()) {
        while (rows.next()) {
          statuses.put(rows.getString(1), rows.getLong(2));
        }
      }
    }
    return statuses;
  }

  /** Returns when none waits or runs. */
  void awaitEnd(String repository) throws Exception {
    try (var connection = connect()) {
      Eventually.await(
          Duration.ofMinutes(5),
          "the runs of " + repository + " end",
          () ->
              of(connection, repository).keySet().stream()
                  .noneMatch(List.of("pending", "running", "retry_wait")::contains));
    }
  }
}
