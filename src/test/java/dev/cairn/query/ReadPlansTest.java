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

  @Test
  void a_page_of_references_touches_no_more_of_them_than_it_shows()
      throws SQLException, IOException {
    try (var plans = new Plans(dataSource)) {
      plans.assertRows(
          10 * FEW,
          RefReads.FROM_DATA + "where " + RefReads.TO_TARGET + RefReads.BY_SHAPE,
          plans.repoId,
          101L,
          FEW);
    }
  }
}
