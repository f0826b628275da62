package dev.cairn;

import dev.cairn.platform.database.EmbeddedDatabase;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What became of the runs of a repository, as the database under several replicas has it. */
record RunStatuses(EmbeddedDatabase.Running database) {
  /** Counts by status. */
  Map<String, Long> of(String repository) throws SQLException {
    var sql =
        """
        select r.status, count(*) from action_run r join repository p on p.id = r.repo_id
        where p.name = ? group by r.status
        """;
    var statuses = new TreeMap<String, Long>();
    try (var connection =
            DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
        var statement = connection.prepareStatement(sql)) {
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
    Eventually.await(
        Duration.ofMinutes(5),
        "the runs of " + repository + " end",
        () ->
            of(repository).keySet().stream()
                .noneMatch(List.of("pending", "running", "retry_wait")::contains));
  }
}
