package dev.cairn.action;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.BehindProxy;
import dev.cairn.HttpTest;
import dev.cairn.People;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Actions, Workers and Reading, where a replica is a worker and runs are not public. */
@HttpTest
@QuarkusTest
@TestProfile(BehindProxy.class)
class BackgroundTest {
  @Test
  void a_commit_is_delivered_as_soon_as_the_database_tells_of_its_run() throws Exception {
    var arrived = new CountDownLatch(3);
    try (var receiver = new Receiver()) {
      receiver.answering(
          _ -> {
            arrived.countDown();
            return Receiver.status(200);
          });
      var repository = Api.newRepository("private");
      Api.commit(repository, "{'operation':'add','name':'Sensor','data':{'fields':{}}}");
      new Deliveries().webhook(repository, "hook", "Sensor", receiver.url("/"));
      for (int i = 0; i < 3; i++) {
        Api.commit(repository, "{'operation':'add','name':'Sensor/s%d','data':{}}".formatted(i));
      }
      assertTrue(arrived.await(20, TimeUnit.SECONDS), "nobody heard of it");
    }
  }

  @Test
  void runs_that_are_not_public_are_read_with_repo_configure_alone() {
    var repository = Api.newRepository("public");
    var org = repository.split("/", -1)[3];
    var editor = People.member(org, "editor").token();
    for (var path : List.of("/actions/runs", "/actions/notifications")) {
      anonymous().get(repository + path).then().statusCode(401);
      as(editor).get(repository + path).then().statusCode(403);
      admin().get(repository + path).then().statusCode(200);
    }
  }
}
