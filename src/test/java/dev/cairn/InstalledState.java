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
          "select state, number from component_install where repo_id = ",
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
   * How far an installation has come: 1 when it has begun, 1 more for its commit, and 1 for each
   * credential set and each subscription that there is.
   */
  int progress(String repository) throws SQLException {
    var sql =
        """
        select (select count(*) from component_install i
                where i.repo_id = r.id and i.state <> 'resolved')
             + (select count(*) from commit_log c where c.repo_id = r.id)
             + (select count(*) from credential_set c where c.repo_id = r.id)
             + (select count(*) from subscription s where s.repo_id = r.id)
        from repository r where r.name = ?
        """;
    return Integer.parseInt(list(sql, repository).getFirst());
  }

  private List<String> list(String sql, String repository) throws SQLException {
    try (var statement = connection.prepareStatement(sql)) {
      statement.setString(1, repository);
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
