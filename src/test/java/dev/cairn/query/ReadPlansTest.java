package dev.cairn.query;

import dev.cairn.HttpTest;
import dev.cairn.Plans;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Reads by name find their rows by key, whatever the planner believes to know. */
@HttpTest
@QuarkusTest
class ReadPlansTest {
  private static final int FEW = 20;

  @Inject DataSource dataSource;

  @Test
  void a_version_by_name_is_a_probe_of_each_index() throws SQLException, IOException {
    try (var plans = new Plans(dataSource)) {
      for (int version = 0; version < 2; version++) {
        plans.assertRows(
            FEW,
            ThingReads.VERSIONS,
            new String[] {"S"},
            new String[] {"thing-" + Plans.THINGS},
            new int[] {version},
            plans.repoId,
            plans.repoId);
      }
    }
  }
}
