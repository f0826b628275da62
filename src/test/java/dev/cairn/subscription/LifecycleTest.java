package dev.cairn.subscription;

import static dev.cairn.Api.admin;
import static dev.cairn.subscription.Subs.cron;
import static dev.cairn.subscription.Subs.get;
import static dev.cairn.subscription.Subs.post;
import static dev.cairn.subscription.Subs.sprite;
import static dev.cairn.subscription.Subs.subscribe;
import static dev.cairn.subscription.Subs.webhook;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Rows;
import dev.cairn.subscription.AutomaticPauses.SubscriptionId;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code docs/subscriptions.md}, Pausing and deleting, Binding, Names in paths. */
@HttpTest
@QuarkusTest
@InProcess("It observes events.")
class LifecycleTest {
  @Inject Database database;
  @Inject AutomaticPauses pauses;
  @Inject Deletions deletions;

  private String repository;

  /** What was said to be deleted. */
  @ApplicationScoped
  static class Deletions {
    private final List<UUID> ids = new ArrayList<>();

    void deleted(@Observes SubscriptionDeleted event) {
      ids.add(event.id());
    }

    boolean told(UUID id) {
      return ids.contains(id);
    }
  }

  private record Stored(SubscriptionId key, String version, boolean active, Instant nextTickAt) {}

  @BeforeEach
  void makeRepository() {
    repository = Subs.repository();
  }

  private Stored stored(String name) {
    return database
        .first(
            """
            select s.repo_id, s.id, s.xmin::text, s.active, s.next_tick_at from subscription s
            join repository r on r.id = s.repo_id
            join organization o on o.id = r.org_id
            where s.name = ? and o.name || '/' || r.name = ?
            """,
            row ->
                new Stored(
                    new SubscriptionId(row.getObject(1, UUID.class), row.getObject(2, UUID.class)),
                    row.getString(3),
                    row.getBoolean(4),
                    Rows.instant(row, 5)),
            name,
            Subs.named(repository))
        .orElseThrow();
  }

  @Test
  void a_paused_subscription_is_inactive_until_it_is_resumed() {
    subscribe(repository, webhook("w")).statusCode(201);
    post(repository, "w", "pause").statusCode(200).body("ok", equalTo(true));
    get(repository, "w").body("active", equalTo(false));
    post(repository, "w", "pause").statusCode(200).body("ok", equalTo(true));
    post(repository, "w", "resume").statusCode(200).body("ok", equalTo(true));
    get(repository, "w").body("active", equalTo(true));
    post(repository, "w", "resume").statusCode(200);
    post(repository, "x", "pause").statusCode(404);
    post(repository, "x", "resume").statusCode(404);
  }

  @Test
  void what_is_done_is_told_in_the_audit_log_without_urls_and_commands() {
    subscribe(repository, sprite("s/1", "")).statusCode(201);
    Subs.patch(
            repository, "s/1", "{'spriteConfig':{'command':'echo hidden'},'notifyOnSuccess':true}")
        .statusCode(200);
    Subs.patch(repository, "s/1", "{}").statusCode(200);
    // The second time nothing is done.
    for (int i = 0; i < 2; i++) {
      post(repository, "s/1", "pause").statusCode(200);
    }
    for (int i = 0; i < 2; i++) {
      post(repository, "s/1", "resume").statusCode(200);
    }
    admin().body("{}").put(repository + "/credential-sets/set").then().statusCode(200);
    admin()
        .body("{\"credentialSetName\":\"set\"}")
        .post(repository + "/subs/s/1/bind")
        .then()
        .statusCode(200);
    admin().delete(repository + "/subs/s/1/bind").then().statusCode(200);
    subscribe(repository, sprite("s/1", "")).statusCode(409);
    admin().delete(repository + "/subs/s/1").then().statusCode(200);
    var names = Subs.named(repository).split("/", -1);
    var isSubscription = "items.findAll { it.action.startsWith('subscription.') }.";
    admin()
        .get("/api/orgs/" + names[0] + "/audit")
        .then()
        .statusCode(200)
        .body(
            isSubscription + "action",
            contains(
                "subscription.deleted",
                "subscription.unbound",
                "subscription.bound",
                "subscription.resumed",
                "subscription.paused",
                "subscription.updated",
                "subscription.created"))
        .body(isSubscription + "target", everyItem(equalTo("s/1")))
        .body(isSubscription + "actor", everyItem(equalTo("admin@example.org")))
        .body(isSubscription + "details.repository", everyItem(equalTo(names[1])))
        .body(isSubscription + "details[2].credentialSet", equalTo("set"))
        .body(isSubscription + "details[5].changed", equalTo("notifyOnSuccess, spriteConfig"))
        .body(isSubscription + "details[6].kind", equalTo("sprite"))
        .body(not(containsString("hidden")));
  }

  @Test
  void the_schedule_of_a_cron_subscription_is_deleted_by_a_pause_and_created_again() {
    subscribe(repository, cron("c", "0 3 * * *", "")).statusCode(201);
    var expected = CronSchedule.of("0 3 * * *", "UTC").next(Instant.now()).orElseThrow();
    assertEquals(expected, stored("c").nextTickAt());
    post(repository, "c", "pause");
    assertNull(stored("c").nextTickAt());
    post(repository, "c", "resume");
    assertEquals(expected, stored("c").nextTickAt());
    Subs.patch(repository, "c", "{'cronConfig':{'cronspec':'0 4 * * *'}}").statusCode(200);
    assertEquals(
        CronSchedule.of("0 4 * * *", "UTC").next(Instant.now()).orElseThrow(),
        stored("c").nextTickAt());
  }

  @Test
  void a_tick_that_is_due_is_kept_when_something_else_is_changed() {
    subscribe(repository, cron("c", "0 3 * * *", "")).statusCode(201);
    var due = Instant.parse("2026-01-01T03:00:00Z");
    database.update(
        "update subscription set next_tick_at = ? where id = ?", due, stored("c").key().id());
    Subs.patch(repository, "c", "{'notifyOnSuccess':true}").statusCode(200);
    post(repository, "c", "resume").statusCode(200);
    assertEquals(due, stored("c").nextTickAt());
  }

  @Test
  void a_cron_subscription_that_is_made_inactive_has_no_schedule() {
    subscribe(repository, cron("c", "0 3 * * *", ",'active':false")).statusCode(201);
    assertNull(stored("c").nextTickAt());
    Subs.patch(repository, "c", "{'cronConfig':{'cronspec':'0 4 * * *'}}").statusCode(200);
    assertNull(stored("c").nextTickAt());
  }

  @Test
  void a_deleted_subscription_is_gone_and_its_name_free() {
    subscribe(repository, webhook("w")).statusCode(201);
    var id = stored("w").key().id();
    admin().delete(repository + "/subs/w").then().statusCode(200).body("ok", equalTo(true));
    assertTrue(deletions.told(id));
    get(repository, "w").statusCode(404);
    admin().get(repository + "/subs").then().body("", hasSize(0));
    admin().delete(repository + "/subs/w").then().statusCode(404);
    subscribe(repository, webhook("w")).statusCode(201);
  }

  @Test
  void a_receiver_that_is_gone_pauses_its_subscription() {
    subscribe(repository, webhook("w")).statusCode(201);
    long before = watchers();
    pauseForGoneReceiver(stored("w"));
    get(repository, "w").body("active", equalTo(false));
    assertEquals(before + 1, watchers());
    pauseForGoneReceiver(stored("w"));
    assertEquals(before + 1, watchers());
    admin()
        .get("/api/orgs/" + Subs.named(repository).split("/", -1)[0] + "/audit?limit=2")
        .then()
        .body("items.action", contains("subscription.paused", "subscription.created"))
        .body("items[0].target", equalTo("w"))
        .body("items[0].actor", equalTo("cairn"))
        .body("items[0].address", nullValue())
        .body("items[0].details.reason", equalTo("receiver_gone"));
  }

  @Test
  void a_former_receiver_does_not_pause_a_subscription_that_was_changed_during_the_call() {
    subscribe(repository, webhook("w")).statusCode(201);
    var called = stored("w");
    Subs.patch(repository, "w", "{'webhookUrl':'http://127.0.0.1:8/other'}").statusCode(200);
    pauseForGoneReceiver(called);
    get(repository, "w").body("active", equalTo(true));
  }

  private void pauseForGoneReceiver(Stored called) {
    pauses.pauseForGoneReceiver(called.key(), called.version());
  }

  @Test
  void a_subscription_whose_principal_has_regained_access_is_not_paused() {
    subscribe(repository, webhook("w")).statusCode(201);
    subscribe(repository, cron("c", "0 5 * * *", "")).statusCode(201);
    pauses.pauseForLostAccess(List.of(stored("w").key(), stored("c").key()));
    get(repository, "w").body("active", equalTo(true));
    get(repository, "c").body("active", equalTo(true));
  }

  private long watchers() {
    return database
        .first(
            "select watchers from repository_head where repo_id = ?",
            row -> row.getLong(1),
            stored("w").key().repoId())
        .orElseThrow();
  }

  @Test
  void every_change_of_what_watches_a_repository_is_told_to_its_commits() {
    subscribe(repository, webhook("w")).statusCode(201);
    long before = watchers();
    Subs.patch(repository, "w", "{'filterJson':{'operation':'add'}}").statusCode(200);
    assertEquals(before + 1, watchers());
    post(repository, "w", "pause");
    assertEquals(before + 2, watchers());
    post(repository, "w", "resume");
    assertEquals(before + 3, watchers());
    subscribe(repository, webhook("v")).statusCode(201);
    assertEquals(before + 4, watchers());
    admin().delete(repository + "/subs/v").then().statusCode(200);
    assertEquals(before + 5, watchers());
    admin().body("{\"name\":\"renamed\"}").patch(repository).then().statusCode(200);
    repository = repository.replaceAll("/repo$", "/renamed");
    assertEquals(before + 6, watchers());
    var org = repository.split("/", -1)[3];
    admin().body("{\"name\":\"" + org + "x\"}").patch("/api/orgs/" + org).then().statusCode(200);
    repository = repository.replace(org, org + "x");
    assertEquals(before + 7, watchers());
    admin().body("{\"archived\":true}").patch(repository).then().statusCode(200);
    assertEquals(before + 8, watchers());
  }

  private ValidatableResponse bind(String name, String set) {
    return admin()
        .body("{\"credentialSetName\":\"" + set + "\"}")
        .post(repository + "/subs/" + name + "/bind")
        .then();
  }

  private void makeSet(String path, String name) {
    admin()
        .body("{\"keys\":{\"WEBHOOK_BEARER_TOKEN\":\"abc\"}}")
        .put(path + "/credential-sets/" + name)
        .then()
        .statusCode(200);
  }

  @Test
  void a_credential_set_is_bound_and_unbound() {
    subscribe(repository, webhook("w")).statusCode(201);
    makeSet(repository, "set");
    bind("w", "set")
        .statusCode(200)
        .body("bound", equalTo(true))
        .body("subscriptionName", equalTo("w"))
        .body("credentialSetName", equalTo("set"));
    get(repository, "w").body("credentialSetName", equalTo("set"));
    admin()
        .delete(repository + "/subs/w/bind")
        .then()
        .statusCode(200)
        .body("unbound", equalTo(true))
        .body("subscriptionName", equalTo("w"));
    get(repository, "w").body("", not(hasKey("credentialSetName")));
    admin().delete(repository + "/subs/w/bind").then().statusCode(200);
  }

  @Test
  void a_set_of_the_organization_can_be_bound_and_an_unknown_one_is_not_found() {
    subscribe(repository, webhook("w")).statusCode(201);
    bind("w", "org-set").statusCode(404).body("errors[0].pointer", equalTo("/credentialSetName"));
    makeSet("/api/orgs/" + repository.split("/", -1)[3], "org-set");
    bind("w", "org-set").statusCode(200);
    bind("x", "org-set").statusCode(404);
  }

  @Test
  void a_revoked_set_is_not_bound() {
    subscribe(repository, webhook("w")).statusCode(201);
    makeSet(repository, "set");
    admin().post(repository + "/credential-sets/set/revoke").then().statusCode(200);
    bind("w", "set").statusCode(409).body("details.reason", equalTo("credential_set_revoked"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"credentialSetName\":null}",
        "{\"credentialSetName\":7}",
        "{\"set\":\"a\"}"
      })
  void a_binding_names_its_set(String body) {
    subscribe(repository, webhook("w")).statusCode(201);
    admin()
        .body(body)
        .post(repository + "/subs/w/bind")
        .then()
        .statusCode(400)
        .body("code", equalTo("VALIDATION_ERROR"));
  }

  @Test
  void a_name_may_hold_slashes_as_they_are_or_encoded() {
    subscribe(repository, webhook("a/b"))
        .statusCode(201)
        .header("Location", endsWith("/subs/a%2Fb"));
    for (var name : List.of("a/b", "a%2Fb", "a%2fb")) {
      get(repository, name).statusCode(200).body("name", equalTo("a/b"));
      post(repository, name, "pause").statusCode(200);
      get(repository, name).body("active", equalTo(false));
      post(repository, name, "resume").statusCode(200);
      Subs.patch(repository, name, "{}").statusCode(200);
      makeSet(repository, "set");
      bind(name, "set").body("subscriptionName", equalTo("a/b"));
      admin().delete(repository + "/subs/" + name + "/bind").then().statusCode(200);
    }
    admin().delete(repository + "/subs/a/b").then().statusCode(200);
    get(repository, "a%2Fb").statusCode(404);
  }

  @Test
  void a_name_that_ends_like_a_route_is_reached_encoded() {
    subscribe(repository, webhook("a")).statusCode(201);
    subscribe(repository, webhook("a/pause")).statusCode(201);
    subscribe(repository, webhook("a/bind")).statusCode(201);
    get(repository, "a%2Fpause").statusCode(200).body("name", equalTo("a/pause"));
    post(repository, "a", "pause").statusCode(200);
    get(repository, "a").body("active", equalTo(false));
    get(repository, "a%2Fpause").body("active", equalTo(true));
    post(repository, "a%2Fpause", "pause").statusCode(200);
    get(repository, "a%2Fpause").body("active", equalTo(false));
    admin().delete(repository + "/subs/a/bind").then().body("subscriptionName", equalTo("a"));
    admin().delete(repository + "/subs/a%2Fbind").then().statusCode(200).body("ok", equalTo(true));
    admin().get(repository + "/subs").then().body("name", contains("a", "a/pause"));
  }

  @Test
  void nothing_changes_in_an_archived_repository() {
    subscribe(repository, webhook("w")).statusCode(201);
    makeSet(repository, "set");
    admin().body("{\"archived\":true}").patch(repository).then().statusCode(200);
    post(repository, "w", "pause").statusCode(409).body("code", equalTo("ARCHIVED"));
    post(repository, "w", "resume").statusCode(409);
    bind("w", "set").statusCode(409);
    admin().delete(repository + "/subs/w/bind").then().statusCode(409);
    admin().delete(repository + "/subs/w").then().statusCode(409);
    post(repository, "x", "pause").statusCode(404);
    assertTrue(stored("w").active());
  }
}
