package dev.cairn.tenant;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HeldLock;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Threads;
import dev.cairn.Waiting;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nobody holds off that a right is taken from them; docs/access.md, Order of checks. */
@HttpTest
@QuarkusTest
class HoldingOffTest {
  private final DataSource dataSource = OwnConnections.dataSource();

  private String org;
  private People.Person owner;

  @BeforeEach
  void organization() {
    org = Api.newOrg();
    owner = People.member(org, "owner");
  }

  /** Changes share the row of the organization, and wait for commits while they have it. */
  @Test
  void a_member_that_changes_one_repository_after_another_does_not_hold_off_its_removal()
      throws Exception {
    var member = People.member(org, "owner");
    var paths = List.of(repository("first"), repository("second"));
    try (var first = lockedHead(Api.repoId(paths.get(0)));
        var second = lockedHead(Api.repoId(paths.get(1)))) {
      var changes = new ArrayList<CompletableFuture<Response>>();
      changes.add(later(() -> unarchive(member, paths.get(0))));
      Waiting.awaitBlockedBy(first);
      var removal = later(() -> remove(member));
      Waiting.awaitWaiters(first, 2);
      changes.add(later(() -> unarchive(member, paths.get(1))));
      Waiting.awaitWaiters(first, 3);
      first.rollback();
      removal.get(10, TimeUnit.SECONDS).then().statusCode(200);
      second.rollback();
      changes.get(0).get(10, TimeUnit.SECONDS).then().statusCode(200);
      changes.get(1).get(10, TimeUnit.SECONDS).then().statusCode(404);
    }
  }

  /** Changes that hold the organization may themselves wait for commits. */
  @Test
  void a_removal_waits_longer_for_changes_than_these_do_for_commits() throws Exception {
    var member = People.member(org, "editor");
    try (var holder = lockedOrganization()) {
      var removal = later(() -> remove(member));
      Waiting.awaitBlockedBy(holder);
      Thread.sleep(5_500);
      holder.rollback();
      removal.get(10, TimeUnit.SECONDS).then().statusCode(200);
    }
  }

  /** Of the three places for changes of the organization, an account has two. */
  @Test
  void a_member_that_sends_many_changes_does_not_hold_off_its_removal() throws Exception {
    var member = People.member(org, "owner");
    var changes = new ArrayList<CompletableFuture<Response>>();
    try (var holder = lockedOrganization()) {
      for (int i = 0; i < 10; i++) {
        changes.add(
            later(() -> as(member.token()).delete("/api/orgs/" + org + "/members/no%40body")));
      }
      Waiting.awaitWaiters(holder, 2);
      var removal = later(() -> remove(member));
      Waiting.awaitWaiters(holder, 3);
      holder.rollback();
      removal.get(10, TimeUnit.SECONDS).then().statusCode(200);
    }
    var statuses = new ArrayList<Integer>();
    for (var change : changes) {
      statuses.add(change.get(10, TimeUnit.SECONDS).statusCode());
    }
    assertTrue(statuses.contains(403), "some came after the removal: " + statuses);
  }

  @Test
  void a_change_waits_for_all_repositories_no_longer_than_for_one() throws Exception {
    var ids =
        Stream.of(repository("first"), repository("second"))
            .map(Api::repoId)
            .sorted(Comparator.comparing(UUID::toString))
            .toList();
    try (var first = lockedHead(ids.get(0));
        var second = lockedHead(ids.get(1))) {
      var change = later(() -> archive(owner));
      Waiting.awaitBlockedBy(first);
      // With a second for each of them, it would be in time for both.
      Thread.sleep(700);
      first.rollback();
      Thread.sleep(700);
      second.rollback();
      change.get(10, TimeUnit.SECONDS).then().statusCode(503).body("code", is("UNAVAILABLE"));
    }
  }

  /**
   * Or they would take all places, and a removal would wait for one before it can wait for them.
   */
  @Test
  void of_the_changes_that_wait_for_commits_one_has_a_place() throws Exception {
    var owners = Stream.generate(() -> People.member(org, "owner")).limit(4).toList();
    try (var holder = lockedHead(Api.repoId(repository("busy")))) {
      var changes = owners.stream().map(member -> later(() -> archive(member))).toList();
      Waiting.awaitBlockedBy(holder);
      assertTimeout(
          Duration.ofMillis(2_500), () -> remove(owners.getLast()).then().statusCode(200));
      holder.rollback();
      for (var change : changes) {
        change.get(10, TimeUnit.SECONDS);
      }
    }
  }

  @Test
  void an_organization_that_waits_for_commits_holds_off_no_revocation_of_its_founder()
      throws Exception {
    var mine = Api.unique("org");
    as(owner.token()).body(Map.of("name", mine)).post("/api/orgs").then().statusCode(201);
    as(owner.token())
        .body(Map.of("name", "repo"))
        .post("/api/orgs/" + mine + "/repos")
        .then()
        .statusCode(201);
    as(owner.token()).body(Map.of("name", "lost")).post("/api/pats").then().statusCode(201);
    HeldLock.during(
            () ->
                as(owner.token())
                    .body(Map.of("name", Api.unique("org"), "archived", true))
                    .patch("/api/orgs/" + mine),
            () -> as(owner.token()).delete("/api/pats/lost").then().statusCode(200),
            HeldLock.HEAD,
            Api.repoId("/api/repos/" + mine + "/repo"))
        .then()
        .statusCode(200);
  }

  private static CompletableFuture<Response> later(Supplier<Response> request) {
    return CompletableFuture.supplyAsync(request, Threads.OWN);
  }

  private static Response unarchive(People.Person member, String path) {
    return as(member.token()).body(Map.of("archived", false)).patch(path);
  }

  private Response archive(People.Person member) {
    return as(member.token()).body(Map.of("archived", true)).patch("/api/orgs/" + org);
  }

  private Response remove(People.Person member) {
    return as(owner.token()).delete("/api/orgs/" + org + "/members/" + member.inPath());
  }

  private String repository(String name) {
    admin().body(Map.of("name", name)).post("/api/orgs/" + org + "/repos").then().statusCode(201);
    return "/api/repos/" + org + "/" + name;
  }

  /** As a change has it that waits for a commit. */
  private Connection lockedOrganization() throws SQLException {
    var connection = dataSource.getConnection();
    connection.setAutoCommit(false);
    OwnConnections.execute(
        connection,
        """
        select pg_advisory_xact_lock_shared(hashtextextended('changes of organization ' || id, 0))
        from organization where name = ?
        """,
        org);
    return connection;
  }

  private Connection lockedHead(UUID repoId) throws SQLException {
    var connection = dataSource.getConnection();
    connection.setAutoCommit(false);
    OwnConnections.execute(connection, HeldLock.HEAD, repoId);
    return connection;
  }
}
