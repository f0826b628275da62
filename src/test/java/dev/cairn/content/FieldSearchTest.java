package dev.cairn.content;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Plans;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Values are found by their index, whatever the planner believes to know. */
@HttpTest
@QuarkusTest
@InProcess("It asks the database, and nothing of the service but its schema.")
class FieldSearchTest {
  private static final int MAX_ROWS = 20;

  private final DataSource dataSource = OwnConnections.dataSource();

  @Test
  void what_has_one_of_two_hundred_values_is_found_without_looking_at_the_rest()
      throws SQLException, IOException {
    try (var plans = new Plans(dataSource)) {
      var hashes = new FieldHashes(plans.repoId, 100);
      plans.execute(
          "update entity set field_hashes = array[id::int] where repo_id = '%s' and id <> 1000"
              .formatted(plans.repoId));
      plans.execute(
          "update entity set field_hashes = '%s' where repo_id = '%s' and id = 1000"
              .formatted(hashes.literal("{\"n\":1,\"list\":[\"x\"]}"), plans.repoId));
      var numbers = IntStream.rangeClosed(1, 200).<JsonNode>mapToObj(IntNode::new).toList();
      var one = new FieldSearch.AnyValue(List.of("n"), numbers);
      var other = new FieldSearch.AnyValue(List.of("list"), List.of(new TextNode("x")));
      var query = FieldSearch.entities(hashes, List.of(one, other));
      plans.assertRows(MAX_ROWS, query.sql(), query.with());
    }
  }

  @Test
  void what_was_found_is_read_by_key() throws SQLException, IOException {
    try (var plans = new Plans(dataSource)) {
      int count = 100;
      var found =
          FieldSearch.found(plans.repoId, LongStream.rangeClosed(201, 200 + count).toArray());
      var sql = "select count(*) from " + found.sql() + " e where e.repo_id = ? and e.active";
      plans.assertRows(5 * count + MAX_ROWS, sql, found.with(plans.repoId));
    }
  }
}
