package dev.cairn.search;

import static dev.cairn.Api.admin;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Prepared;
import dev.cairn.platform.database.OwnConnections;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Limits: searches of one account take turns, and other reads do not wait for them. */
@HttpTest
@QuarkusTest
@InProcess("It reads how many reads wait in this process.")
class SearchTurnsTest {
  @Inject MeterRegistry metrics;

  private double waiting() {
    return metrics.get("cairn.reads.waiting").gauge().value();
  }

  @Test
  void an_account_searches_once_at_a_time_and_reads_meanwhile() throws Exception {
    var repository = Api.newRepository();
    Prepared.commit(
        repository, "{'operation':'add','kind':'shape','name':'Lamp','data':{'fields':{}}}");
    assertEquals(1, Searches.page(repository, "lamp", "").getList("items").size());
    Callable<Integer> search =
        () -> admin().get(Searches.path(repository, "lamp")).then().extract().statusCode();
    try (var connection = OwnConnections.plain();
        var threads = Executors.newFixedThreadPool(2)) {
      connection.setAutoCommit(false);
      OwnConnections.execute(connection, "lock table search_document in access exclusive mode");
      var first = threads.submit(search);
      var second = threads.submit(search);
      Eventually.await("the second search waits for its turn", () -> waiting() > 0);
      assertEquals(1, waiting());
      admin().get(repository + "/head").then().statusCode(200);
      assertTrue(!first.isDone() && !second.isDone());
      connection.rollback();
      assertEquals(200, first.get());
      assertEquals(200, second.get());
    }
  }
}
