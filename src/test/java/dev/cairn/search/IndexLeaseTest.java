package dev.cairn.search;

import static dev.cairn.Api.as;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.People;
import dev.cairn.content.ChangedEntities;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import dev.cairn.work.Slots;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Leases of indexes, and whose turn it is; {@code docs/search.md}, The index. */
@HttpTest
@QuarkusTest
@InProcess("It asks the kinds of work.")
class IndexLeaseTest {
  @Inject Database database;
  @Inject ChangedEntities entities;
  @Inject IndexStates states;
  @Inject WordWriter writer;
  @Inject CairnConfig config;
  @Inject WordIndexKind words;
  @Inject VectorIndexKind vectors;

  @Test
  void a_lease_is_renewed_only_by_the_attempt_that_has_it() {
    var repoId = Api.repoId(Api.newRepository());
    database.update(
        "update search_index set attempt = 7, due_at = now() + interval '5 s' where repo_id = ?",
        repoId);
    for (var kind : List.of(words, vectors)) {
      database.update(
          "update search_index set due_at = now() + interval '5 s' where repo_id = ?", repoId);
      var part = kind == words ? IndexPart.WORDS : IndexPart.VECTORS;
      assertEquals(Set.of(repoId), renew(kind, part, repoId, 7));
      assertEquals(Set.of(), renew(kind, part, repoId, 6));
      var renewed =
          database.list(
              """
              select part from search_index
              where repo_id = ? and due_at > now() + interval '50 s'
              """,
              row -> row.getString(1),
              repoId);
      assertEquals(List.of(part.text()), renewed);
    }
  }

  private static Set<UUID> renew(IndexKind kind, IndexPart part, UUID repoId, int attempt) {
    var item = new IndexAttempt(repoId, UUID.randomUUID(), part, attempt, 0);
    return kind.renew(List.of(item), UUID.randomUUID());
  }

  @Test
  void an_index_that_a_search_waits_for_comes_first_every_other_time() throws SQLException {
    var longDue = Api.repoId(Api.newRepository());
    database.update(
        "update search_index set due_at = now() - interval '1 day' where repo_id = ?", longDue);
    var mine = Api.repoId(repositoryOf(People.stranger()));
    database.update("update search_index set due_at = now() where repo_id = ?", mine);
    var awaited = new AwaitedIndexes();
    awaited.add(mine);
    var kind = kind(awaited);
    try (var _ = locked(longDue, mine)) {
      var looks = List.of(tenants(kind), tenants(kind));
      assertEquals(
          Set.of(tenant(longDue), tenant(mine)),
          looks.stream().map(List::getFirst).collect(Collectors.toSet()));
      assertTrue(looks.contains(List.of(tenant(mine))), looks + " has it alone");
    }
    awaited.remove(mine);
    assertEquals(List.of(), awaited.repositories());
  }

  @Test
  void of_two_that_searches_wait_for_the_one_of_the_lighter_account_comes_first()
      throws SQLException {
    var heavy = Api.repoId(repositoryOf(People.stranger()));
    var light = Api.repoId(repositoryOf(People.stranger()));
    // It has been due longer.
    database.update(
        "update search_index set due_at = now() - interval '1 day' where repo_id = ?", heavy);
    database.update("update search_index set due_at = now() where repo_id = ?", light);
    var awaited = new AwaitedIndexes();
    awaited.add(heavy);
    awaited.add(light);
    awaited.recordUse(
        new IndexAttempt(heavy, tenant(heavy), IndexPart.WORDS, 1, 0),
        Duration.ofSeconds(1).toNanos());
    var kind = kind(awaited);
    try (var _ = locked(heavy, light)) {
      assertEquals(List.of(tenant(light), tenant(heavy)), tenants(kind));
    }
  }

  /** Not that of the running worker, which has turns of its own. */
  private IndexKind kind(AwaitedIndexes awaited) {
    return new WordIndexKind(
        database, entities, states, awaited, writer, config, new SimpleMeterRegistry());
  }

  /** The running worker skips them until the connection is closed. */
  private static Connection locked(UUID one, UUID other) throws SQLException {
    var connection = OwnConnections.plain();
    connection.setAutoCommit(false);
    OwnConnections.execute(
        connection,
        "select from search_index where repo_id in ('%s', '%s') for update".formatted(one, other));
    return connection;
  }

  private static String repositoryOf(People.Person person) {
    var org = Api.unique("org");
    as(person.token()).body(Map.of("name", org)).post("/api/orgs").then().statusCode(201);
    as(person.token())
        .body(Map.of("name", "repo"))
        .post("/api/orgs/" + org + "/repos")
        .then()
        .statusCode(201);
    return "/api/repos/" + org + "/repo";
  }

  private UUID tenant(UUID repoId) {
    return database
        .first(
            """
            select coalesce(o.creator_id, o.id)
            from repository r join organization o on o.id = r.org_id where r.id = ?
            """,
            row -> row.getObject(1, UUID.class),
            repoId)
        .orElseThrow();
  }

  private static List<UUID> tenants(IndexKind kind) {
    return kind.ready(Optional.empty(), new Slots.Full(Set.of(), Set.of()), 1_000).stream()
        .map(queue -> queue.target().tenantId())
        .toList();
  }
}
