package dev.cairn.platform.http;

import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.newRepository;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;

import dev.cairn.HttpTest;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

@HttpTest
@QuarkusTest
class FaultTest {
  private final DataSource dataSource = OwnConnections.dataSource();

  @Test
  void a_fault_of_the_service_is_500_with_a_trace_id_and_tells_nothing_else() throws SQLException {
    var repository = newRepository();
    execute("alter table commit_log rename to commit_log_away");
    try {
      anonymous()
          .get(repository + "/commits")
          .then()
          .statusCode(500)
          .contentType("application/problem+json")
          .body("code", equalTo("INTERNAL_ERROR"))
          .body("traceId", matchesPattern("[0-9a-f]{32}"))
          .body(not(containsString("commit_log")))
          .body(not(containsString("Exception")));
    } finally {
      execute("alter table commit_log_away rename to commit_log");
    }
    anonymous().get(repository + "/commits").then().statusCode(200);
  }

  private void execute(String sql) throws SQLException {
    try (var connection = dataSource.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
