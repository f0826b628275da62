package dev.cairn.subscription;

import static dev.cairn.Api.admin;
import static dev.cairn.subscription.Subs.post;
import static dev.cairn.subscription.Subs.sprite;
import static dev.cairn.subscription.Subs.subscribe;
import static dev.cairn.subscription.Subs.webhook;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Statements;
import dev.cairn.commit.CommittedOperation;
import dev.cairn.model.EntityKind;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.MatchingBudget;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code docs/subscriptions.md}, Matching: what a commit asks. */
@HttpTest
@QuarkusTest
@InProcess("It looks at what is kept in memory.")
class WatchersTest {
  @Inject Watchers watchers;
  @Inject Database database;

  private String repository;
  private UUID repoId;
  private long sensor;

  @BeforeEach
  void makeRepository() {
    repository = Subs.repository();
    repoId = Api.repoId(repository);
    sensor = shape("Sensor");
  }

  private long shape(String name) {
    return database
        .first(
            "select id from entity where repo_id = ? and shape_name = 'Shape' and name = ?",
            row -> row.getLong(1),
            repoId,
            name)
        .orElseThrow();
  }

  private long version() {
    return database
        .first(
            "select watchers from repository_head where repo_id = ?", row -> row.getLong(1), repoId)
        .orElseThrow();
  }

  private Watchers.Compiled compiled() {
    return watchers.of(repoId, version());
  }

  private CommittedOperation thing(int index, String operation, String name) {
    return new CommittedOperation(
        index,
        operation,
        EntityKind.THING,
        1,
        sensor,
        "Sensor",
        name,
        "Sensor/" + name,
        1,
        true,
        null);
  }

  private CommittedOperation ofShape(int index, long id, String name) {
    return new CommittedOperation(
        index, "revise", EntityKind.SHAPE, id, id, "Shape", name, "Shape/" + name, 2, true, null);
  }

  private List<String> names(CommittedOperation... operations) {
    return compiled().match(List.of(operations)).stream()
        .map(match -> match.watcher().name())
        .toList();
  }

  @Test
  void a_match_names_the_watchers_of_each_operation() {
    subscribe(repository, webhook("all")).statusCode(201);
    subscribe(repository, webhook("adds").replace("{}", "{'operation':'add'}")).statusCode(201);
    subscribe(repository, webhook("none").replace("{}", "{'name':'x'}")).statusCode(201);
    var matches =
        compiled()
            .match(
                List.of(
                    thing(0, "revise", "a"),
                    new CommittedOperation(
                        1, "add", EntityKind.THING, 1, sensor + 1, "R", "a", "R/a", 1, true, null),
                    thing(2, "add", "b")));
    assertEquals(List.of("all", "adds"), matches.stream().map(m -> m.watcher().name()).toList());
    assertArrayEquals(new int[] {0, 2}, matches.get(0).indexes());
    assertArrayEquals(new int[] {2}, matches.get(1).indexes());
  }

  @Test
  void a_filter_that_is_found_by_several_names_tells_each_operation_once() {
    subscribe(repository, webhook("w").replace("{}", "{'name':['a/b','Sensor/a/b','Sensor/a']}"))
        .statusCode(201);
    subscribe(repository, webhook("v").replace("{}", "{'match':['Sensor/a/**','Sensor/a/b']}"))
        .statusCode(201);
    var matches =
        compiled()
            .match(List.of(thing(3, "add", "a/b"), thing(5, "add", "b"), thing(7, "add", "a/b")));
    assertEquals(2, matches.size());
    assertArrayEquals(new int[] {3, 7}, matches.get(0).indexes());
    assertArrayEquals(new int[] {3, 7}, matches.get(1).indexes());
  }

  @Test
  void each_operation_counts_once_for_each_subscription_that_it_matches() {
    subscribe(repository, webhook("all")).statusCode(201);
    subscribe(repository, webhook("b").replace("{}", "{'name':'b'}")).statusCode(201);
    var operations = List.of(thing(0, "add", "a"), thing(1, "add", "b"), thing(2, "add", "c"));
    assertEquals(2, compiled().match(operations, new MatchingBudget(1_000, 4)).size());
    var refused =
        assertThrows(
            Problem.class, () -> compiled().match(operations, new MatchingBudget(1_000, 3)));
    assertEquals(ErrorCode.PAYLOAD_TOO_LARGE, refused.code());
    assertEquals("/operations", refused.errors().getFirst().pointer());
    assertTrue(refused.detail().contains("more than 3 matches"), refused::detail);
  }

  @Test
  void to_look_for_filters_and_to_evaluate_them_takes_steps() {
    subscribe(repository, webhook("w").replace("{}", "{'match':'Sensor/a*'}")).statusCode(201);
    var operations = List.of(thing(0, "add", "a"));
    assertEquals(1, compiled().match(operations, new MatchingBudget(89, 1)).size());
    var refused =
        assertThrows(Problem.class, () -> compiled().match(operations, new MatchingBudget(88, 1)));
    assertEquals(ErrorCode.PAYLOAD_TOO_LARGE, refused.code());
    assertTrue(refused.detail().contains("more than 88 steps"), refused::detail);
  }

  @Test
  void a_watcher_knows_what_a_run_of_it_needs() {
    subscribe(repository, webhook("w").replace(Subs.URL, "http://127.0.0.1:9/a?b")).statusCode(201);
    subscribe(repository, Subs.sprite("s", ",'allowTraceReentry':true")).statusCode(201);
    var matches = compiled().match(List.of(thing(0, "add", "a")));
    var webhook = matches.get(0).watcher();
    assertEquals(repoId, webhook.repoId());
    assertEquals(repoId, webhook.sourceRepoId());
    assertEquals(Subs.named(repository), webhook.org() + "/" + webhook.repo());
    assertEquals("webhook", webhook.executorKind());
    assertTrue(webhook.target().matches("http://127\\.0\\.0\\.1:9#[0-9a-f]{32}"), webhook::target);
    assertEquals(false, webhook.allowTraceReentry());
    assertTrue(webhook.baseUrl().startsWith("http://127.0.0.1:"), webhook::baseUrl);
    var sprite = matches.get(1).watcher();
    assertEquals("sprite", sprite.executorKind());
    assertEquals(
        "sprite:cairn-" + Subs.named(repository).replace('/', '-') + "-s", sprite.target());
    assertEquals(true, sprite.allowTraceReentry());
  }

  @Test
  void an_operation_on_the_shape_itself_matches_only_with_the_kind_shape() {
    subscribe(repository, webhook("things")).statusCode(201);
    subscribe(repository, webhook("shape").replace("{}", "{'kind':'shape'}")).statusCode(201);
    assertEquals(List.of("shape"), names(ofShape(0, sensor, "Sensor")));
    assertEquals(List.of("things"), names(thing(0, "add", "a")));
  }

  @Test
  void a_watcher_of_the_shape_of_shapes_gets_every_shape() {
    subscribe(repository, webhook("shapes").replace("'Sensor'", "'Shape'")).statusCode(201);
    assertEquals(List.of("shapes"), names(ofShape(0, sensor, "Sensor")));
    assertEquals(List.of("shapes"), names(ofShape(0, sensor + 1, "Room")));
    assertEquals(List.of(), names(thing(0, "add", "a")));
  }

  @Test
  void a_paused_changed_or_deleted_subscription_counts_with_the_next_commit() {
    subscribe(repository, webhook("w")).statusCode(201);
    assertEquals(List.of("w"), names(thing(0, "add", "a")));
    Subs.patch(repository, "w", "{'filter':{'operation':'revise'}}").statusCode(200);
    assertEquals(List.of(), names(thing(0, "add", "a")));
    assertEquals(List.of("w"), names(thing(0, "revise", "a")));
    post(repository, "w", "pause");
    assertEquals(List.of(), names(thing(0, "revise", "a")));
    assertTrue(compiled().isEmpty());
    post(repository, "w", "resume");
    assertEquals(List.of("w"), names(thing(0, "revise", "a")));
    admin().delete(repository + "/subs/w").then().statusCode(200);
    assertEquals(List.of(), names(thing(0, "revise", "a")));
  }

  @Test
  void a_watcher_in_an_archived_repository_gets_nothing() {
    var other = Subs.sibling(repository, "private");
    subscribe(other, webhook("w", ",'sourceRepo':'" + Subs.named(repository) + "'"))
        .statusCode(201);
    assertEquals(List.of("w"), names(thing(0, "add", "a")));
    admin().body("{\"archived\":true}").patch(other).then().statusCode(200);
    assertEquals(List.of(), names(thing(0, "add", "a")));
    admin().body("{\"archived\":false}").patch(other).then().statusCode(200);
    assertEquals(List.of("w"), names(thing(0, "add", "a")));
  }

  @Test
  void a_rename_of_the_organization_is_known_to_the_next_commit() {
    subscribe(repository, webhook("w")).statusCode(201);
    var org = Subs.named(repository).split("/", -1)[0];
    var renamed = Api.unique("renamed");
    compiled();
    admin().body("{\"name\":\"" + renamed + "\"}").patch("/api/orgs/" + org).then().statusCode(200);
    assertEquals(
        renamed, compiled().match(List.of(thing(0, "add", "a"))).getFirst().watcher().org());
  }

  @Test
  void filters_are_read_once_for_each_state_however_many_there_are() {
    insert(999, sensor + 1);
    subscribe(repository, webhook("w")).statusCode(201);
    long version = version();
    int before = Statements.sentInSilence();
    watchers.of(repoId, version);
    for (int i = 0; i < 50; i++) {
      var matches = watchers.of(repoId, version).match(List.of(thing(0, "add", "a")));
      assertEquals(1, matches.size());
    }
    // The service sends a few by itself.
    assertTrue(Statements.sent() - before < 25);
  }

  /** Many subscriptions on a shape. */
  private void insert(int count, long shapeId) {
    database.update(
        """
        insert into subscription (repo_id, id, name, kind, executor_kind, active, source_repo_id,
                                  shape_id, filter, webhook_url, allow_trace_reentry,
                                  notify_on_success, workspace_policy, base_url, created_at,
                                  updated_at)
        select ?, gen_random_uuid(), 'many-' || i, 'webhook', 'webhook', true, ?, ?,
               '{"match":"Sensor/**","operation":"add"}', 'http://127.0.0.1:9/', false, false,
               'ignore', 'http://localhost', now(), now()
        from generate_series(1, ?) as i
        """,
        repoId,
        repoId,
        shapeId,
        count);
  }

  @Test
  void what_sprites_run_is_not_read() {
    insert(500, sensor);
    database.update(
        """
        update subscription set kind = 'sprite', executor_kind = 'sprite', webhook_url = null,
                                sprite_config = '{"command":"' || repeat('c', 100000) || '"}'
        where repo_id = ?
        """,
        repoId);
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    var matches = compiled().match(List.of(thing(0, "add", "a")));
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    assertTrue(allocated < 500 * 50_000, allocated + " bytes for 500 watchers");
    var watcher = matches.getFirst().watcher();
    var named = Subs.named(repository).replace('/', '-') + "-" + watcher.name();
    assertEquals("sprite:cairn-" + named, watcher.target());
  }

  @Test
  void the_target_of_a_sprite_is_what_its_config_names() {
    var mode = "'inputMode':'stdin'";
    subscribe(repository, sprite("s", "").replace(mode, mode + ",'spriteName':'mine'"))
        .statusCode(201);
    subscribe(repository, sprite("g", "").replace(mode, mode + ",'gitRepo':'own/er','ref':'main'"))
        .statusCode(201);
    assertEquals(
        List.of("sprite:mine", "sprite:cairn-own-er"),
        compiled().match(List.of(thing(0, "add", "a"))).stream()
            .map(match -> match.watcher().target())
            .toList());
  }

  @Test
  void a_repository_is_watched_by_at_most_2000_active_ones() {
    insert(2_000, sensor);
    var other = Subs.sibling(repository, "private");
    var watching = webhook("w", ",'sourceRepo':'" + Subs.named(repository) + "','active':false");
    subscribe(other, watching).statusCode(201);
    post(other, "w", "resume")
        .statusCode(409)
        .body("details.reason", equalTo("too_many_subscriptions"));
    post(repository, "many-1", "pause").statusCode(200);
    post(other, "w", "resume").statusCode(200);
  }

  @Test
  void the_filters_that_watch_a_repository_have_a_length_together() {
    insert(1, sensor);
    database.update(
        "update subscription set filter = rpad('{', ?) where repo_id = ?",
        Sources.MAX_CHARACTERS - 2,
        repoId);
    subscribe(repository, webhook("w").replace("{}", "{'kind':'thing'}")).statusCode(409);
    database.update(
        "update subscription set filter = rpad('{', ?) where repo_id = ?",
        Sources.MAX_CHARACTERS - 16,
        repoId);
    subscribe(repository, webhook("w").replace("{}", "{'kind':'thing'}")).statusCode(201);
    Subs.patch(repository, "w", "{'filter':{'kind':'things'}}").statusCode(400);
    Subs.patch(repository, "w", "{'filter':{'kind':['thing']}}").statusCode(409);
  }
}
