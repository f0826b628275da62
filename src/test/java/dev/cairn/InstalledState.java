package dev.cairn;

import dev.cairn.platform.database.EmbeddedDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

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

  private static final String TRIGGER = "held_by_the_test";
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
   * Has the database wait with a write of a repository until the answer is closed.
   *
   * @param step {@code event on table [condition]}
   */
  AutoCloseable hold(String repository, String step) throws SQLException {
    var parts = step.split(" ", 4);
    var table = parts[2];
    execute("select pg_advisory_lock(%d)".formatted(LOCK));
    execute(
        """
        create or replace function %s() returns trigger language plpgsql
        as $$ begin perform pg_advisory_xact_lock(%d); return new; end $$
        """
            .formatted(TRIGGER, LOCK));
    execute(
        "create trigger %1$s before %2$s on %3$s for each row when (new.repo_id = '%4$s' %5$s) execute function %1$s()"
            .formatted(
                TRIGGER,
                parts[0],
                table,
                list("select id::text from repository where name = ?", repository).getFirst(),
                parts.length > 3 ? "and " + parts[3] : ""));
    return () -> {
      execute("select pg_advisory_unlock(%d)".formatted(LOCK));
      execute("drop trigger %s on %s".formatted(TRIGGER, table));
    };
  }

  /** Returns when a session waits at the step. */
  void awaitHeld() {
    Eventually.await(
        "a session waits at the step",
        () ->
            list(
                        "select objid::text from pg_locks where locktype = 'advisory'"
                            + " and not granted and objid::text = ?",
                        Long.toString(LOCK))
                    .size()
                == 1);
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
