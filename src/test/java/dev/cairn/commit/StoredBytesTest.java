package dev.cairn.commit;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static dev.cairn.Api.newRepository;
import static dev.cairn.Api.submit;
import static dev.cairn.Limited.BYTES;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.Limited;
import dev.cairn.Stored;
import dev.cairn.access.limit.StoredBytes;
import dev.cairn.mcp.Mcp;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** docs/limits.md, Quotas: the bytes that an organization stores. */
@HttpTest
@QuarkusTest
@TestProfile(Limited.class)
class StoredBytesTest {
  /** An entity's payload is stored twice: as its version and as HEAD. */
  private static final int PAYLOAD = 500_000;

  /** Of a credential set's key. */
  private static final int MAX_VALUE = 8_192;

  private String repository;
  private String org;
  private String token;

  @BeforeEach
  void repository() {
    Limited.refill();
    repository = newRepository("private");
    org = repository.split("/", -1)[3];
    token = Api.adminToken();
    commit("{'operation':'add','name':'Shape/S','data':{'fields':{}}}", "").then().statusCode(201);
  }

  private static String thing(String name) {
    return thing(name, PAYLOAD);
  }

  private static String thing(String name, int length) {
    return "{'operation':'add','name':'S/%s','data':{'n':'%s'}}"
        .formatted(name, "x".repeat(length));
  }

  private Response commit(String operations, String members) {
    Limited.refill();
    return as(token)
        .body(("{'operations':[" + operations + "]" + members + "}").replace('\'', '"'))
        .post(repository + "/commits");
  }

  private static ValidatableResponse refused(Response answer) {
    return answer
        .then()
        .statusCode(413)
        .header("Retry-After", nullValue())
        .body("code", is("PAYLOAD_TOO_LARGE"))
        .body("details.limit", is("bytes-per-organization"))
        .body("details.max", is(BYTES))
        .body("details.used", nullValue());
  }

  /** Commits a payload after another until there is no room for one more; answers how many. */
  private int fill() {
    return fill(PAYLOAD);
  }

  private int fill(int length) {
    var name = "filled-" + (length == PAYLOAD ? "" : length + "-");
    for (int i = 0; ; i++) {
      var answer = commit(thing(name + i, length), "");
      if (answer.statusCode() != 201) {
        refused(answer);
        return i;
      }
    }
  }

  /** Leaves room for some 2,000 bytes. */
  private void fillUp() {
    List.of(PAYLOAD, 50_000, 5_000, 100).forEach(this::fill);
  }

  @Test
  void a_commit_that_would_store_more_than_the_organization_may_writes_nothing() {
    assertEquals(BYTES / (2 * PAYLOAD + 2_000), fill());
    long before = Stored.assertCounted(repository);
    assertTrue(before <= BYTES, "" + before);
    int seq = admin().get(repository).path("repoSeq");
    refused(commit(thing("more"), ""));
    refused(commit(thing("more"), ",'dryRun':true"));
    commit(thing("more") + ",{'operation':'add','name':'bad'}", ",'atomic':false,'dryRun':true")
        .then()
        .statusCode(413);
    admin().get(repository).then().body("repoSeq", is(seq));
    admin().get(repository + "/things/S/more").then().statusCode(404);
    assertEquals(before, Stored.assertCounted(repository));
    // What fits is taken, and whatever reads goes on.
    commit("{'operation':'add','name':'S/small','data':{}}", "").then().statusCode(201);
    admin().get(repository + "/things/S/filled-0").then().statusCode(200);
    admin().get(repository + "/head").then().statusCode(200);
    admin().get(repository + "/export").then().statusCode(200);
    admin().get(repository + "/export?prefer=async").then().statusCode(202);
    admin()
        .get("/api/orgs/" + org)
        .then()
        .body("usage.bytes.limit", is(BYTES))
        .body("usage.bytes.used", greaterThanOrEqualTo((int) before));
  }

  @Test
  void a_dry_run_counts_the_pointers_of_references() {
    commit(PointerLimitsTest.SHAPE + ",{'operation':'add','name':'S/a','data':{}}", "");
    for (int i = 0; room() > 2_900_000; i++) {
      commit(thing("filled-" + i), "").then().statusCode(201);
    }
    var flat = PointerLimitsTest.thing("d", 0, 1_000);
    commit(flat, ",'dryRun':true").then().statusCode(200);
    refused(commit(PointerLimitsTest.thing("d", 1_000, 0), ",'dryRun':true"));
  }

  @Test
  void mcp_refuses_such_a_commit_too() {
    fill();
    var operation =
        Map.of("operation", "add", "name", "S/mcp", "data", Map.of("n", "x".repeat(PAYLOAD)));
    Mcp.of(Mcp.OLD, token)
        .call("commit_submit", Map.of("org", org, "repo", "repo", "operations", List.of(operation)))
        .body(containsString("bytes-per-organization"));
    admin().get(repository + "/things/S/mcp").then().statusCode(404);
  }

  @Test
  void other_repositories_of_the_organization_count_and_give_back_when_they_are_deleted() {
    fill();
    var second = "/api/repos/" + org + "/second";
    admin()
        .body(Map.of("name", "second"))
        .post("/api/orgs/" + org + "/repos")
        .then()
        .statusCode(201);
    var shape = "{'operation':'add','name':'Shape/S','data':{'fields':{}}}";
    Limited.refill();
    submit(second, "{'operations':[" + shape + "]}").statusCode(201);
    submit(second, "{'operations':[" + thing("a") + "]}").statusCode(413);
    // An archived one still stores what it has.
    admin().body(Map.of("archived", true)).patch(repository).then().statusCode(200);
    Limited.refill();
    submit(second, "{'operations':[" + thing("a") + "]}").statusCode(413);
    admin().body(Map.of("archived", false)).patch(repository).then().statusCode(200);
    admin().delete(repository).then().statusCode(200);
    submit(second, "{'operations':[" + thing("a") + "]}").statusCode(201);
    Stored.assertCounted(second);
  }

  @Test
  void versions_that_only_repeat_a_payload_count_it_and_are_refused_as_a_whole() {
    int filled = fill();
    commit("{'operation':'retract','name':'S/filled-0'}", "").then().statusCode(413);
    assertTrue(filled > 1);
    Stored.assertCounted(repository);
  }

  @Test
  void answers_kept_for_a_key_count_and_nothing_is_kept_beyond_the_limit() {
    fillUp();
    // Nothing changes by it, so there is nothing to store but the answer.
    var one = "{'operation':'add','name':'S/filled-0','data':{},'skipExisting':true}";
    var noop = String.join(",", Collections.nCopies(100, one));
    commit(noop, "").then().statusCode(200);
    Limited.refill();
    as(token)
        .header("Idempotency-Key", "noop")
        .body(("{'operations':[" + noop + "]}").replace('\'', '"'))
        .post(repository + "/commits")
        .then()
        .statusCode(413);
  }

  @Test
  void no_repository_is_created_where_there_is_no_room() {
    fillUp();
    refusedRepository(admin().body(Map.of("name", "second")).post("/api/orgs/" + org + "/repos"));
  }

  private static void refusedRepository(Response answer) {
    answer.then().statusCode(413).body("details.limit", is("bytes-per-organization"));
  }

  private Response put(String key, int length) {
    Limited.refill();
    return as(token)
        .body(Map.of("keys", Map.of(key, "x".repeat(length))))
        .put("/api/orgs/" + org + "/credential-sets/set");
  }

  private int room() {
    int used = admin().get("/api/orgs/" + org).path("usage.bytes.used");
    return BYTES - used;
  }

  /** Fills the organization to the last byte with a set; answers the length of its value LAST. */
  private int fillWithValues() {
    List.of(PAYLOAD, 50_000).forEach(this::fill);
    int before = room();
    put("FIRST", 1).then().statusCode(200);
    int overhead = before - room() - 1;
    for (int i = 0; room() - overhead >= MAX_VALUE; i++) {
      put("K" + i, Math.min(MAX_VALUE, (room() - overhead) / 2)).then().statusCode(200);
    }
    int last = room() - overhead;
    refused(put("LAST", last + 1));
    put("LAST", last).then().statusCode(200);
    assertEquals(0, room());
    return last;
  }

  @Test
  void values_of_credential_sets_are_stored_up_to_the_last_byte() {
    int last = fillWithValues();
    refused(put("MORE", 1));
    refused(put("LAST", last + 1));
    put("LAST", last).then().statusCode(200);
    replaced("LAST", "MORE", last).then().statusCode(200);
    assertEquals(0, room());
    refused(replaced("MORE", "LAST", last + 1));
    assertEquals(0, room());
  }

  private Response replaced(String key, String by, int length) {
    Limited.refill();
    return as(token)
        .body("{\"keys\":{\"%s\":null,\"%s\":\"%s\"}}".formatted(key, by, "x".repeat(length)))
        .put("/api/orgs/" + org + "/credential-sets/set");
  }

  private Response subscribe() {
    Limited.refill();
    return as(token)
        .body(
            Map.of(
                "name", "w",
                "kind", "webhook",
                "shapeName", "S",
                "filterJson", Map.of(),
                "webhookUrl", "http://127.0.0.1:9/hook"))
        .post(repository + "/subs");
  }

  private Response filter(String filter) {
    return as(token).body("{\"filterJson\":" + filter + "}").patch(repository + "/subs/w");
  }

  @Test
  void subscriptions_are_made_and_changed_up_to_the_last_byte() {
    int last = fillWithValues();
    int needed = StoredBytes.SUBSCRIPTION + "{}".length();
    put("LAST", last - needed + 1).then().statusCode(200);
    refused(subscribe());
    put("LAST", last - needed).then().statusCode(200);
    subscribe().then().statusCode(201);
    assertEquals(0, room());
    var longer = "{\"operation\":\"add\"}";
    refused(filter(longer));
    filter("{}").then().statusCode(200);
    put("LAST", last - needed - longer.length() + "{}".length()).then().statusCode(200);
    filter(longer).then().statusCode(200);
    assertEquals(0, room());
  }

  @Test
  void another_organization_is_not_touched() {
    fill();
    var other = newRepository();
    Limited.refill();
    submit(other, "{'operations':[{'operation':'add','name':'Shape/S','data':{'fields':{}}}]}")
        .statusCode(201);
  }
}
