package dev.cairn.search;

import static dev.cairn.Api.as;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** How many searches may wait; {@code docs/search.md}, Waiting for the index. */
@HttpTest
@QuarkusTest
@InProcess("It wakes the workers of the index.")
class IndexWaitTest {
  private static final int MAX_OF_CALLER = 8;

  @Inject WordIndexKind words;

  @Test
  void an_account_may_have_eight_searches_waiting() throws Exception {
    var repository = Api.newRepository();
    var id = Api.repoId(repository);
    Prepared.commit(repository, "{'operation':'add','name':'Shape/S','data':{'fields':{}}}");
    var path = Searches.path(repository, "x") + "&wait=1";
    var other = People.stranger().token();
    try (var connection = OwnConnections.plain();
        var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      connection.setAutoCommit(false);
      OwnConnections.execute(
          connection, "select from search_index where repo_id = '%s' for update".formatted(id));
      var searches = new ExecutorCompletionService<Integer>(executor);
      var ofOther = executor.submit(() -> as(other).get(path).statusCode());
      for (int i = 0; i < MAX_OF_CALLER + 1; i++) {
        var _ = searches.submit(() -> Api.admin().get(path).statusCode());
      }
      var statuses = new ArrayList<>(List.of(searches.take().get()));
      assertEquals(List.of(503), statuses, "one too many");
      connection.rollback();
      words.worker().wake(id);
      statuses.clear();
      for (int i = 0; i < MAX_OF_CALLER; i++) {
        statuses.add(searches.take().get());
      }
      assertEquals(Collections.nCopies(MAX_OF_CALLER, 200), statuses);
      assertEquals(200, ofOther.get());
    }
  }
}
