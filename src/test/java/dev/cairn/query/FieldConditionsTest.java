package dev.cairn.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.content.Predicates;
import dev.cairn.model.IJson;
import dev.cairn.model.ShapeDefinition;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.postgresql.util.PSQLState;

/** Reads, filters on data: what the database does for a condition. */
@HttpTest
@QuarkusTest
@InProcess("It has the conditions themselves, and its own connection.")
class FieldConditionsTest {
  @Test
  void comparing_a_list_in_a_list_with_many_values_can_be_stopped() throws SQLException {
    var definition =
        ShapeDefinition.parse(
            IJson.read("{\"fields\":{\"any\":\"any\"}}".getBytes(StandardCharsets.UTF_8)));
    var values =
        IntStream.range(2, 200).mapToObj(n -> "," + n).collect(Collectors.joining("", "true", ""));
    var where = new Predicates("true");
    FieldConditions.narrow(where, null, definition, Where.parse(List.of("any:in:" + values), true));
    var data = "{\"any\":[[" + "1,".repeat(500_000) + "1]]}";
    var query = "select count(*) from (values (?)) e (data) ";

    try (var connection = OwnConnections.plain()) {
      // How long a comparison of the whole list with all values takes, which nothing can stop.
      long began = System.nanoTime();
      OwnConnections.execute(
          connection,
          query + "where jsonb_path_exists(e.data::jsonb, ?::jsonpath, ?::jsonb)",
          data,
          "$ ? (exists($.\"any\" ? (@ == $v0)))",
          where.parameters()[where.parameters().length - 1]);
      long whole = millisSince(began);

      OwnConnections.execute(connection, "set statement_timeout = " + Math.max(1, whole / 10));
      began = System.nanoTime();
      var stopped =
          assertThrows(
              SQLException.class,
              () ->
                  OwnConnections.execute(
                      connection, query + where.sql(), concat(data, where.parameters())));
      long until = millisSince(began);
      assertEquals(PSQLState.QUERY_CANCELED.getState(), stopped.getSQLState(), stopped::toString);
      assertTrue(until < whole / 2, () -> until + " ms, at once " + whole);
    }
  }

  private static long millisSince(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
  }

  private static Object[] concat(Object first, Object[] others) {
    return IntStream.rangeClosed(0, others.length)
        .mapToObj(i -> i == 0 ? first : others[i - 1])
        .toArray();
  }
}
