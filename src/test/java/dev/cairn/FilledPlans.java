package dev.cairn;

import dev.cairn.platform.database.OwnConnections;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** Tests of plans that share one {@link Plans}; the rows that a test adds are taken back. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class FilledPlans {
  protected Plans plans;

  @BeforeAll
  void fill() throws SQLException {
    plans = new Plans(OwnConnections.dataSource());
  }

  @BeforeEach
  void begin() throws SQLException {
    plans.execute("savepoint filled");
  }

  @AfterEach
  void takeBack() throws SQLException {
    plans.execute("rollback to savepoint filled");
  }

  @AfterAll
  void close() throws SQLException {
    if (plans != null) {
      plans.close();
    }
  }
}
