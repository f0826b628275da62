package dev.cairn.platform.database;

import dev.cairn.platform.CairnConfig;
import io.quarkus.flyway.FlywayConfigurationCustomizer;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/**
 * Migrates the database at the start. Flyway sends some thirty statements on two connections to
 * find out that nothing is to do, a quarter of a native start, so it is asked only if its history
 * is not that of this version. See {@code docs/deploy.md}, Upgrades.
 */
@Singleton
class Migrations implements FlywayConfigurationCustomizer {
  /** The migrations of this version, in their order. */
  static final List<String> SCRIPTS = List.of("V1__schema.sql");

  /**
   * The number of attempts, one each second: a starting replica waits for a replica that migrates
   * for as long as a start may take. Flyway's default of 50 s is too short for an index of a large
   * table.
   */
  private static final int MAX_LOCK_ATTEMPTS = 300;

  /** Before the scheduler (0), whose methods need the tables. */
  private static final int BEFORE_SCHEDULER = -100;

  private final Database database;

  Migrations(Database database) {
    this.database = database;
  }

  @Override
  public void customize(FluentConfiguration configuration) {
    configuration.lockRetryCount(MAX_LOCK_ATTEMPTS);
  }

  void migrate(
      @Observes @Priority(BEFORE_SCHEDULER) StartupEvent event,
      CairnConfig config,
      Instance<Flyway> flyway) {
    if (config.database().migrate() && !isCurrent()) {
      flyway.get().migrate();
    }
  }

  /**
   * A migration that was applied.
   *
   * @param checksum null for one that is not a script
   */
  private record Applied(Integer checksum, boolean success) {}

  /**
   * Whether all migrations of this version were applied as they are now. Those of a later version
   * may follow.
   */
  boolean isCurrent() {
    boolean hasHistory =
        database
            .first(
                "select to_regclass('flyway_schema_history') is not null", row -> row.getBoolean(1))
            .orElseThrow();
    if (!hasHistory) {
      return false;
    }
    var applied =
        database.list(
            """
            select checksum, success from flyway_schema_history
            where version is not null order by installed_rank
            """,
            row ->
                new Applied(row.getObject("checksum", Integer.class), row.getBoolean("success")));
    var own = SCRIPTS.stream().map(script -> new Applied(checksum(script), true)).toList();
    return applied.size() >= own.size()
        && applied.subList(0, own.size()).equals(own)
        && applied.stream().allMatch(Applied::success);
  }

  /** As Flyway calculates it: without the ends of lines. */
  private static int checksum(String script) {
    var checksum = new CRC32();
    try (var in = Migrations.class.getResourceAsStream("/db/migration/" + script);
        var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      lines.lines().forEach(line -> checksum.update(line.getBytes(StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return (int) checksum.getValue();
  }
}
