package dev.cairn.live;

import static dev.cairn.Api.adminToken;
import static dev.cairn.Api.commit;
import static dev.cairn.Api.newRepository;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Statements;
import dev.cairn.platform.CairnConfig;
import dev.cairn.work.NotifyListener;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** docs/live.md, How it works: what a commit costs does not depend on how many follow. */
@HttpTest
@QuarkusTest
@InProcess("It listens at the database as another replica does.")
class CommitWakeUpTest {
  private static final int MANY = 100;
  private static final int COMMITS = 5;

  @Inject CairnConfig config;

  private final List<Events> clients = new ArrayList<>();
  private String repository;
  private long seq;

  @BeforeEach
  void makeRepository() {
    repository = newRepository();
    commit(repository, "{'operation':'add','name':'Shape/S','data':{'fields':{}}}");
    seq = 1;
  }

  @AfterEach
  void disconnect() {
    clients.forEach(Events::close);
  }

  private void follow(int count) {
    while (clients.size() < count) {
      clients.add(Events.of(adminToken(), repository));
    }
  }

  /** A commit of which every client is told. */
  private void commitAndHear() {
    commit(repository, "{'operation':'add','name':'S/" + seq + "','data':{}}").statusCode(201);
    seq++;
    clients.forEach(client -> client.nextIsCommit(seq));
  }

  @Test
  void a_commit_is_read_once_for_all_who_follow() {
    follow(1);
    int forOne = Statements.of(this::commitAndHear);
    follow(MANY);
    assertEquals(forOne, Statements.of(this::commitAndHear));
  }

  @Test
  void a_commit_notifies_other_replicas_once_for_all_who_follow() throws InterruptedException {
    follow(MANY);
    var repoId = Api.repoId(repository).toString();
    List<String> notified = new CopyOnWriteArrayList<>();
    var listens = new CountDownLatch(1);
    try (var _ =
        new NotifyListener(
            config,
            CommitSignals.CHANNEL,
            payload -> keepOf(repoId, payload, notified),
            listens::countDown)) {
      listens.await();
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < COMMITS; i++) {
        commitAndHear();
        expected.add(repoId + " " + seq);
        Eventually.await("each commit is notified", () -> notified.size() >= expected.size());
      }
      assertEquals(expected, notified);
    }
  }

  private static void keepOf(String repoId, String payload, List<String> notified) {
    if (payload.startsWith(repoId)) {
      notified.add(payload);
    }
  }
}
