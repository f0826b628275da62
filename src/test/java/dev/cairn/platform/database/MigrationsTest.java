package dev.cairn.platform.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.migration.BaseJavaMigration;
import org.flywaydb.core.api.migration.Context;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Deployment, Upgrades: how long a migration may take, and what a start finds. */
@HttpTest
@QuarkusTest
@InProcess("It asks Flyway.")
class MigrationsTest {
  @Inject Flyway flyway;
  @Inject DataSource dataSource;
  @Inject Database database;
  @Inject Migrations migrations;

  /** Follows those that there are, and remembers under which limits it runs. */
  private static final class V9999__Limits extends BaseJavaMigration {
    private final List<String> limits = new ArrayList<>();

    @Override
    public void migrate(Context context) throws SQLException {
      limits.add(setting(context.getConnection(), "statement_timeout"));
      limits.add(setting(context.getConnection(), "lock_timeout"));
    }
  }

  private static String setting(Connection connection, String name) throws SQLException {
    try (var statement = connection.createStatement();
        var row = statement.executeQuery("show " + name)) {
      assertTrue(row.next());
      return row.getString(1);
    }
  }

  @Test
  void its_statements_have_no_time_limit_and_those_of_the_service_have_theirs() throws Exception {
    var last = new V9999__Limits();
    Flyway.configure()
        .configuration(flyway.getConfiguration())
        .schemas("migrated_for_test")
        .javaMigrations(last)
        .load()
        .migrate();
    assertEquals(List.of("0", "5s"), last.limits);
    try (var connection = dataSource.getConnection()) {
      connection.createStatement().execute("drop schema migrated_for_test cascade");
      assertEquals("30s", setting(connection, "statement_timeout"));
    }
  }

  @Test
  void a_replica_that_starts_waits_for_the_one_that_migrates_as_long_as_a_start_may_take() {
    assertEquals(300, flyway.getConfiguration().getLockRetryCount());
  }

  @Test
  void flyway_knows_the_same_migrations() {
    var all = flyway.info().all();
    assertEquals(
        Migrations.SCRIPTS.stream().map("db/migration/"::concat).toList(),
        Arrays.stream(all).map(MigrationInfo::getScript).toList());
    assertTrue(migrations.isCurrent());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "update flyway_schema_history set checksum = checksum + 1 where version = '1'",
        "update flyway_schema_history set success = false where version = '1'",
        "delete from flyway_schema_history",
        "alter table flyway_schema_history rename to flyway_schema_history_of_another"
      })
  void flyway_is_asked_if_the_history_is_another(String change) {
    var undone =
        assertThrows(
            IllegalStateException.class,
            () ->
                database.transaction(
                    () -> {
                      database.update(change);
                      throw new IllegalStateException("current: " + migrations.isCurrent());
                    }));
    assertEquals("current: false", undone.getMessage());
    assertTrue(migrations.isCurrent());
  }

  @Test
  void a_version_starts_on_a_database_that_a_later_one_has_migrated() {
    database.update(
        """
        insert into flyway_schema_history
          (installed_rank, version, description, type, script, installed_by, execution_time, success)
        select max(installed_rank) + 1, '9999', 'later', 'SQL', 'V9999__later.sql', 'later', 1, true
        from flyway_schema_history
        """);
    try {
      assertTrue(migrations.isCurrent());
      var migrated = flyway.migrate();
      assertTrue(migrated.success);
      assertEquals(0, migrated.migrationsExecuted);
    } finally {
      database.update("delete from flyway_schema_history where version = '9999'");
    }
  }
}
