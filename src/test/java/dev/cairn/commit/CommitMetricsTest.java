package dev.cairn.commit;

import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.repositoryWith;
import static dev.cairn.commit.Commits.shape;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Test;

/** Operation, Metrics: each batch is counted once, by what became of it. */
@HttpTest
@QuarkusTest
@InProcess("It asks the registry of metrics.")
class CommitMetricsTest {
  @Inject MeterRegistry metrics;

  private long counted(String outcome) {
    return metrics.timer("cairn.commits", "outcome", outcome).count();
  }

  private void assertCounts(String outcome, Runnable commit) {
    long before = counted(outcome);
    commit.run();
    assertEquals(before + 1, counted(outcome), outcome);
  }

  @Test
  void by_outcome_with_the_operations_of_those_that_were_committed() {
    var repository = repositoryWith(shape("S"));
    var operations = metrics.summary("cairn.commits.operations");
    long commits = operations.count();
    double before = operations.totalAmount();
    var lock = metrics.timer("cairn.commits.lock");
    long locked = lock.count();
    var three = add("S/a", "{}") + "," + add("S/b", "{}") + "," + add("S/c", "{}");
    assertCounts("committed", () -> Api.commit(repository, three).statusCode(201));
    assertCounts(
        "unchanged",
        () ->
            Api.submit(repository, "{'dryRun':true,'operations':[" + add("S/d", "{}") + "]}")
                .statusCode(200));
    assertCounts("refused", () -> Api.commit(repository, add("T/d", "{}")).statusCode(404));
    assertCounts("refused", () -> Api.submit(repository, "{'operations':[{}]}").statusCode(400));
    assertCounts("committed", () -> withKey(repository));
    assertCounts("replayed", () -> withKey(repository));
    assertEquals(commits + 2, operations.count());
    assertEquals(before + 4, operations.totalAmount());
    assertEquals(locked + 5, lock.count(), "those that came as far as the repository's lock");
  }

  private static void withKey(String repository) {
    Api.admin()
        .header("Idempotency-Key", "metrics")
        .body(("{'operations':[" + add("S/keyed", "{}") + "]}").replace('\'', '"'))
        .post(repository + "/commits")
        .then()
        .statusCode(201);
  }
}
