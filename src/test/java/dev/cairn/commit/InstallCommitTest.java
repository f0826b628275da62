package dev.cairn.commit;

import static dev.cairn.Api.admin;
import static dev.cairn.access.Permission.REPO_WRITE;
import static dev.cairn.commit.Commits.active;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.assertProblem;
import static dev.cairn.commit.Commits.assertVerified;
import static dev.cairn.commit.Commits.missing;
import static dev.cairn.commit.Commits.ops;
import static dev.cairn.commit.Commits.refused;
import static dev.cairn.commit.Commits.rename;
import static dev.cairn.commit.Commits.repositoryWith;
import static dev.cairn.commit.Commits.retract;
import static dev.cairn.commit.Commits.revise;
import static dev.cairn.commit.Commits.shape;
import static dev.cairn.commit.Commits.state;
import static dev.cairn.commit.Commits.thing;
import static dev.cairn.model.ErrorCode.FORBIDDEN;
import static dev.cairn.model.ErrorCode.PRECONDITION_FAILED;
import static dev.cairn.model.ErrorCode.RESERVED_NAME;
import static dev.cairn.model.ErrorCode.SHAPE_MISMATCH;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.TestDatabase;
import dev.cairn.Threads;
import dev.cairn.Waiting;
import dev.cairn.access.Authorizer;
import dev.cairn.access.Caller;
import dev.cairn.access.authentication.AccountRows;
import dev.cairn.model.Problem;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The records of installed components, which only the service writes. */
@HttpTest
@QuarkusTest
@InProcess("It commits as the service itself does, which no request can.")
class InstallCommitTest {
  private static final String RECORD = "ComponentInstall/one";
  private static final String DATA = data("1.0.0");

  /** These have the turns of a repository, and take other commits along. */
  private static final int LEADERS = 2;

  @Inject CommitService commits;
  @Inject Authorizer authorizer;
  @Inject DataSource dataSource;
  @Inject MeterRegistry metrics;

  private String repository;

  @BeforeEach
  void shapes() {
    repository = repositoryWith(shape("S"));
  }

  private static String data(String version) {
    return "{'component':'acme/watch','version':'%s','manifestHash':'%s','shapes':['Shape/S']}"
        .formatted(version, "0a".repeat(32));
  }

  private CommitAnswer install(String... operations) {
    return install(_ -> true, operations);
  }

  private CommitAnswer install(LongPredicate precondition, String... operations) {
    var caller = Caller.service(AccountRows.id(TestDatabase.ADMIN_EMAIL), "Admin");
    return commits.submitInstall(
        authorizer.repository(caller, Commits.org(repository), "repo", REPO_WRITE),
        "{'operations':[%s]}"
            .formatted(ops(operations))
            .replace('\'', '"')
            .getBytes(StandardCharsets.UTF_8),
        CommitAnswer.Wanted.of(CommitAnswer.Form.FULL),
        precondition);
  }

  private static Response send(String repository, String operation) {
    return admin()
        .body("{'operations':[%s]}".formatted(operation).replace('\'', '"'))
        .post(repository + "/commits");
  }

  @Test
  void the_service_writes_records_together_with_other_operations() {
    assertEquals(
        CommitAnswer.Outcome.COMMITTED, install(add("S/a", "{}"), add(RECORD, DATA)).outcome());
    thing(repository, "S/a");
    thing(repository, RECORD)
        .body("data.component", equalTo("acme/watch"))
        .body("data.version", equalTo("1.0.0"))
        .body("data.manifestHash", equalTo("0a".repeat(32)))
        .body("data.shapes", equalTo(List.of("Shape/S@v1")));
    assertEquals(CommitAnswer.Outcome.UNCHANGED, install(revise(RECORD, DATA)).outcome());
    assertEquals(CommitAnswer.Outcome.COMMITTED, install(revise(RECORD, data("1.1.0"))).outcome());
    thing(repository, RECORD).body("data.version", equalTo("1.1.0")).body("version", equalTo(2));
    install(retract(RECORD));
    thing(repository, RECORD).body("active", equalTo(false));
    install(active(RECORD, true));
    thing(repository, RECORD).body("active", equalTo(true));
    assertVerified(repository);
  }

  @Test
  void a_record_has_all_fields_of_its_shape() {
    var before = state(repository);
    var problem = assertThrows(Problem.class, () -> install(add(RECORD, "{}")));
    assertEquals(SHAPE_MISMATCH, problem.code());
    assertEquals(before, state(repository));
  }

  @Test
  void a_commit_of_the_service_has_its_precondition() {
    var before = state(repository);
    var problem = assertThrows(Problem.class, () -> install(_ -> false, add(RECORD, DATA)));
    assertEquals(PRECONDITION_FAILED, problem.code());
    assertEquals(before, state(repository));
  }

  @Test
  void no_request_changes_a_record_that_exists() {
    install(add(RECORD, DATA));
    for (var operation :
        List.of(
            add(RECORD, DATA),
            add("ComponentInstall/two", DATA),
            revise(RECORD, data("2.0.0")),
            active(RECORD, false),
            retract(RECORD),
            rename(RECORD, "other"),
            rename(RECORD, "ComponentInstall/other"))) {
      refused(repository, operation, FORBIDDEN);
    }
    refused(repository, revise("ComponentInstall", "{'fields':{}}"), RESERVED_NAME);
    thing(repository, RECORD).body("version", equalTo(1));
  }

  /** Commits that wait for their repository are written in one transaction. */
  @Test
  void a_request_may_not_either_when_a_commit_of_the_service_takes_it_along() throws Exception {
    var leaders = new ArrayList<CompletableFuture<Response>>();
    var installed = new CompletableFuture<CommitAnswer>();
    var refused = new CompletableFuture<ValidatableResponse>();
    var before = waiting();
    Commits.whileLocked(
        dataSource,
        repository,
        holder -> {
          for (int i = 0; i < LEADERS; i++) {
            var name = "S/leader" + i;
            leaders.add(
                CompletableFuture.supplyAsync(
                    () -> send(repository, add(name, "{}")), Threads.OWN));
          }
          Waiting.awaitWaiters(holder, LEADERS);
          installed.completeAsync(() -> install(add(RECORD, DATA)), Threads.OWN);
          awaitWaiting(before + 1);
          refused.completeAsync(
              () -> send(repository, add("ComponentInstall/two", DATA)).then(), Threads.OWN);
          awaitWaiting(before + 2);
        });
    for (var leader : leaders) {
      leader.get(20, TimeUnit.SECONDS).then().statusCode(201);
    }
    assertEquals(CommitAnswer.Outcome.COMMITTED, installed.get(20, TimeUnit.SECONDS).outcome());
    assertProblem(refused.get(20, TimeUnit.SECONDS), FORBIDDEN);
    thing(repository, RECORD);
    missing(repository, "ComponentInstall/two");
  }

  private double waiting() {
    return metrics.get("cairn.commits.waiting").gauge().value();
  }

  private void awaitWaiting(double count) {
    Eventually.await(() -> count + " wait: " + waiting(), () -> waiting() >= count);
  }
}
