package dev.cairn;

import dev.cairn.platform.database.EmbeddedDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What components have made of repositories, as the database under several replicas has it. The
 * names of the repositories are unique.
 */
final class InstalledState implements AutoCloseable {
  private static final String REPOSITORY = "(select id from repository where name = ?)";

  /** Rows without what differs between two repositories: ids, times and secrets. */
  private static final List<String> ROWS =
      List.of(
          "select state, number, complete_number from component_install where repo_id = ",
          """
          select shape_name, active, version, encode(data_hash, 'hex') hash,
                 case shape_name when 'ComponentInstall' then 'record' else name end name
          from entity where id >= 100 and repo_id = \
          """,
          """
          select name, description, install_id is not null is_installed, revoked_at,
                 (select count(*) from credential_key k where k.set_id = c.id) keys
          from credential_set c where repo_id = \
          """,
          """
          select s.name, s.kind, executor_kind, s.active, filter, webhook_url, credential_set,
                 e.name shape, install_id is not null is_installed
          from subscription s left join entity e on e.repo_id = s.repo_id and e.id = s.shape_id
          where s.repo_id = \
          """,
          "select scopes, is_setup from service_token where install_id is not null and repo_id = ",
          "select message from commit_log where repo_id = ");

  private static final long LOCK = 4_711;

  private final Connection connection;

  InstalledState(EmbeddedDatabase.Running database) throws SQLException {
    connection =
        DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
  }

  /** Everything that was made. */
  List<String> of(String repository) throws SQLException {
    var all = new ArrayList<String>();
    for (var rows : ROWS) {
      all.addAll(
          list(
              "select row_to_json(q)::text from (" + rows + REPOSITORY + ") q order by 1",
              repository));
    }
    return all;
  }

  /**
   * Has the database wait with a write of each of some repositories until the answer is closed.
   *
   * @param steps {@code event on table [condition]}, by the repository
   */
  AutoCloseable hold(Map<String, String> steps) throws SQLException {
    execute("select pg_advisory_lock(%d)".formatted(LOCK));
    execute(
        """
        create or replace function held_by_the_test() returns trigger language plpgsql
        as $$ begin perform pg_advisory_xact_lock(%d); return new; end $$
        """
            .formatted(LOCK));
    var triggers = new ArrayList<String>();
    for (var step : steps.entrySet()) {
      var parts = step.getValue().split(" ", 4);
      var trigger = "held_" + triggers.size();
      execute(
          "create trigger %s before %s on %s for each row when (new.repo_id = '%s' %s) execute function held_by_the_test()"
              .formatted(
                  trigger,
                  parts[0],
                  parts[2],
                  list("select id::text from repository where name = ?", step.getKey()).getFirst(),
                  parts.length > 3 ? "and " + parts[3] : ""));
      triggers.add(trigger + " on " + parts[2]);
    }
    return () -> {
      execute("select pg_advisory_unlock(%d)".formatted(LOCK));
      for (var trigger : triggers) {
        execute("drop trigger " + trigger);
      }
    };
  }

  /** Returns when so many sessions wait at their steps. */
  void awaitHeld(int count) {
    Eventually.await(
        count + " sessions wait at their steps",
        () ->
            list(
                        "select objid::text from pg_locks where locktype = 'advisory'"
                            + " and not granted and objid::text = ?",
                        Long.toString(LOCK))
                    .size()
                == count);
  }

  private void execute(String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private List<String> list(String sql, String parameter) throws SQLException {
    try (var statement = connection.prepareStatement(sql)) {
      statement.setString(1, parameter);
      var values = new ArrayList<String>();
      try (var rows = statement.executeQuery()) {
        while (rows.next()) {
          values.add(rows.getString(1));
        }
      }
      return values;
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
