package dev.cairn.access.limit;

import static dev.cairn.Api.as;
import static dev.cairn.Limited.CHANGES;
import static dev.cairn.Limited.COMMITS;
import static dev.cairn.Limited.CREATIONS;
import static dev.cairn.Limited.ORGANIZATIONS;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.AtOnce;
import dev.cairn.HttpTest;
import dev.cairn.Limited;
import dev.cairn.People;
import dev.cairn.mcp.Mcp;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The limits on creations and anonymous reads, which the other tests run without. */
@HttpTest
@QuarkusTest
@TestProfile(Limited.class)
class QuotaTest {
  private static final String CRON =
      "{\"name\":\"c\",\"kind\":\"cron\",\"executorKind\":\"webhook\","
          + "\"webhookUrl\":\"http://127.0.0.1:9/\","
          + "\"cronConfig\":{\"cronspec\":\"0 0 * * *\"}}";

  @BeforeEach
  void refill() {
    Limited.refill();
  }

  private static ValidatableResponse limited(ValidatableResponse answer, String policy) {
    return answer
        .statusCode(429)
        .body("code", is("RATE_LIMITED"))
        .header("Retry-After", matchesPattern("[1-9][0-9]*"))
        .header("RateLimit", matchesPattern("\"" + policy + "\";r=0;t=[1-9][0-9]*"));
  }

  @Test
  void an_account_makes_so_many_tokens_an_hour_and_failed_attempts_count() {
    var person = People.stranger();
    pat(person, "{\"name\":\"a\"}")
        .statusCode(201)
        .header("RateLimit-Policy", "\"pats\";q=3;w=3600")
        .header("RateLimit", matchesPattern("\"pats\";r=2;t=1[0-9]{3}"));
    pat(person, "{\"name\":\"a b\"}")
        .statusCode(400)
        .header("RateLimit", matchesPattern("\"pats\";r=1;t=2[0-9]{3}"));
    pat(person, "{\"name\":\"a\"}").statusCode(409);
    limited(pat(person, "{\"name\":\"b\"}"), "pats");
    as(person.token()).get("/api/pats").then().statusCode(200).body("", hasSize(1));
    pat(People.stranger(), "{\"name\":\"a\"}").statusCode(201);
  }

  private static ValidatableResponse pat(People.Person owner, String body) {
    return as(owner.token()).body(body).post("/api/pats").then();
  }

  @Test
  void an_account_commits_so_often_a_minute_and_replays_do_not_count() {
    var repository = Api.newRepository();
    commit(repository, 0, "key")
        .statusCode(201)
        .header("RateLimit-Policy", "\"commits\";q=4;w=60")
        .header("RateLimit", matchesPattern("\"commits\";r=3;t=[0-9]+"));
    for (int i = 0; i < 5; i++) {
      commit(repository, 0, "key").statusCode(201).header("RateLimit", nullValue());
    }
    for (int i = 1; i < COMMITS; i++) {
      commit(repository, i, "key-" + i).statusCode(201);
    }
    limited(commit(repository, COMMITS, "another"), "commits");
    // It is not looked at, or it would be refused for what it is.
    var noGzip = Api.admin().header("Content-Encoding", "gzip").body("{}");
    limited(noGzip.post(repository + "/commits").then(), "commits");
    Api.admin().get(repository).then().body("repoSeq", is(COMMITS));
  }

  @ParameterizedTest
  @ValueSource(strings = {Mcp.OLD, Mcp.NEW})
  void over_mcp_a_limit_is_told_in_the_result_of_the_tool(String version) {
    var repository = Api.newRepository();
    for (int i = 0; i < COMMITS; i++) {
      commit(repository, i, "key-" + i).statusCode(201);
    }
    var names = repository.split("/", -1);
    Mcp.of(version, Api.adminToken())
        .call("commit_submit", Map.of("org", names[3], "repo", names[4], "operations", List.of()))
        .statusCode(200)
        .body("result.isError", is(true))
        .body("result.structuredContent.code", is("RATE_LIMITED"))
        .body("result.structuredContent.status", is(429))
        .body("result.structuredContent.details.retryAfter", greaterThan(0));
  }

  @Test
  void a_used_key_makes_nothing_free_but_the_request_that_it_answered() {
    var repository = Api.newRepository();
    var editor = People.member(repository.split("/", -1)[3], "editor");
    var body =
        "{\"operations\":[{\"operation\":\"add\",\"name\":\"S\",\"data\":{\"fields\":{}}}]%s}";
    keyed(editor, repository, body.formatted("")).statusCode(201);
    keyed(editor, repository, body.formatted("")).statusCode(201).header("RateLimit", nullValue());
    left(2, keyed(editor, repository, body.formatted(",\"dryRun\":true")).statusCode(409));
    left(1, keyed(editor, repository, body.formatted(",\"message\":\"m\"")).statusCode(422));
    left(0, keyed(editor, repository, "{").statusCode(400));
    limited(keyed(editor, repository, body.formatted(",\"dryRun\":true")), "commits");
    keyed(editor, repository, body.formatted("")).statusCode(201);
  }

  @Test
  void a_used_key_makes_no_body_free_that_cannot_be_decompressed() {
    var repository = Api.newRepository();
    var editor = People.member(repository.split("/", -1)[3], "editor");
    var shape =
        "{\"operations\":[{\"operation\":\"add\",\"name\":\"S\",\"data\":{\"fields\":{}}}]}";
    keyed(editor, repository, shape).statusCode(201);
    for (int left = Limited.COMMITS - 2; left >= 0; left--) {
      left(left, broken(editor, repository).statusCode(400));
    }
    limited(broken(editor, repository), "commits");
  }

  private static ValidatableResponse broken(People.Person who, String repository) {
    return as(who.token())
        .header("Idempotency-Key", "key")
        .header("Content-Encoding", "gzip")
        .body("not gzip")
        .post(repository + "/commits")
        .then();
  }

  private static void left(int commits, ValidatableResponse answer) {
    answer.header("RateLimit", matchesPattern("\"commits\";r=" + commits + ";t=[0-9]+"));
  }

  private static ValidatableResponse keyed(People.Person who, String repository, String body) {
    return as(who.token())
        .header("Idempotency-Key", "key")
        .body(body)
        .post(repository + "/commits")
        .then();
  }

  private static ValidatableResponse commit(String repository, int n, String key) {
    return Api.admin()
        .header("Idempotency-Key", key)
        .body(
            "{\"operations\":[{\"operation\":\"add\",\"name\":\"S%d\",\"data\":{\"fields\":{}}}]}"
                .formatted(n))
        .post(repository + "/commits")
        .then();
  }

  @Test
  void an_address_reads_so_much_an_hour_without_credentials_whatever_is_there() {
    for (var path : List.of("head", "count", "things/None%2Fx", "head?colour=red")) {
      Api.anonymous()
          .get("/api/repos/demo/world/" + path)
          .then()
          .header("RateLimit-Policy", "\"anonymous-reads\";q=5;w=3600");
    }
    Api.anonymous().get("/api/repos/none/none/head").then().statusCode(404);
    limited(Api.anonymous().get("/api/repos/demo/world/head").then(), "anonymous-reads");
    limited(Api.anonymous().get("/api/repos/none/none/head").then(), "anonymous-reads");
    limited(Api.anonymous().get("/api/repos/none/none/things/S%2F%0A").then(), "anonymous-reads");
    Api.anonymous().get("/api/whoami").then().statusCode(200);
    Api.admin()
        .get("/api/repos/demo/world/head")
        .then()
        .statusCode(200)
        .header("RateLimit", nullValue());
  }

  @Test
  void each_message_of_a_batch_counts_as_a_read_and_none_if_there_are_too_many() {
    batch(3).header("RateLimit", matchesPattern("\"anonymous-reads\";r=2;t=[0-9]+"));
    batch(3)
        .body(containsString("RATE_LIMITED"))
        .header("Retry-After", matchesPattern("[1-9][0-9]*"));
    batch(2).header("RateLimit", matchesPattern("\"anonymous-reads\";r=0;t=[0-9]+"));
  }

  /** Messages about a public repository, without credentials. */
  private static ValidatableResponse batch(int messages) {
    var ping = "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"ping\"}";
    return Api.anonymous()
        .accept("application/json, text/event-stream")
        .body(IntStream.range(0, messages).mapToObj(ping::formatted).toList().toString())
        .post("/mcp/demo/world")
        .then();
  }

  @Test
  void an_account_makes_so_many_subscriptions_a_minute_and_replays_do_not_count() {
    var repository = Api.newRepository();
    var person = People.member(repository.split("/", -1)[3], "editor");
    subscribe(person, repository, "{}", "key")
        .statusCode(400)
        .header("RateLimit-Policy", "\"subscriptions\";q=3;w=60");
    subscribe(person, repository, CRON, "key").statusCode(201);
    for (int i = 0; i < 5; i++) {
      subscribe(person, repository, CRON, "key").statusCode(201).header("RateLimit", nullValue());
    }
    subscribe(person, repository, CRON.replace("\"c\"", "\"d\""), "key").statusCode(422);
    limited(
        subscribe(person, repository, CRON.replace("\"c\"", "\"d\""), "other"), "subscriptions");
    limited(subscribe(person, repository, "no JSON", "other"), "subscriptions");
    as(person.token()).get(repository + "/subs").then().body("", hasSize(1));
    as(person.token()).post(repository + "/subs/c/pause").then().statusCode(200);
  }

  @Test
  void components_are_installed_and_examined_at_most_3_times_a_minute_and_torn_down_always() {
    var repository = Api.newRepository();
    var org = repository.split("/", -1)[3];
    var person = People.member(org, "owner");
    var components = repository + "/components";
    as(person.token())
        .body(
            """
            {"manifest": {"component": {"id": "tool", "name": "T", "version": "1.0.0"}}}""")
        .put("/api/component-registry/" + org + "/tool")
        .then()
        .statusCode(201);
    as(person.token())
        .body("no JSON")
        .post(components)
        .then()
        .statusCode(400)
        .header("RateLimit-Policy", "\"components\";q=3;w=60");
    var body = "{\"component\":\"%s/tool\"}".formatted(org);
    String id =
        as(person.token())
            .body(body)
            .post(components)
            .then()
            .statusCode(201)
            .extract()
            .path("installId");
    as(person.token()).post(components + "/" + id + "/doctor").then().statusCode(200);
    limited(as(person.token()).post(components + "/" + id + "/doctor").then(), "components");
    limited(as(person.token()).body(body).post(components).then(), "components");
    limited(as(person.token()).body("no JSON").post(components).then(), "components");
    as(person.token()).get(components).then().statusCode(200);
    for (int i = 0; i < 5; i++) {
      as(person.token())
          .body("{}")
          .post(components + "/" + id + "/teardown")
          .then()
          .statusCode(200);
    }
  }

  @Test
  void credential_sets_are_written_at_most_3_times_a_minute_and_failed_attempts_count() {
    var org = Api.newRepository().split("/", -1)[3];
    var person = People.member(org, "owner");
    var ofOrganization = "/api/orgs/" + org + "/credential-sets/set";
    var ofRepository = "/api/repos/" + org + "/repo/credential-sets/set";
    as(person.token())
        .body("no JSON")
        .put(ofOrganization)
        .then()
        .statusCode(400)
        .header("RateLimit-Policy", "\"credential-sets\";q=3;w=60");
    as(person.token()).body("{}").put(ofRepository).then().statusCode(200);
    as(person.token()).body("{\"keys\":3}").put(ofRepository).then().statusCode(400);
    limited(as(person.token()).body("{}").put(ofOrganization).then(), "credential-sets");
    limited(as(person.token()).body("no JSON").put(ofRepository).then(), "credential-sets");
    as(person.token()).get(ofOrganization).then().statusCode(404);
    as(person.token()).delete(ofRepository).then().statusCode(200);
    as(People.member(org, "owner").token()).body("{}").put(ofOrganization).then().statusCode(200);
  }

  @Test
  void an_account_makes_so_many_changes_an_hour_and_may_always_stop_what_it_runs() {
    var repository = Api.newRepository();
    var org = repository.split("/", -1)[3];
    var person = People.member(org, "owner");
    subscribe(person, repository, CRON, "key").statusCode(201);
    var routes =
        List.<Supplier<Response>>of(
            () -> as(person.token()).body("{}").patch(repository + "/subs/c"),
            () -> as(person.token()).post(repository + "/subs/c/resume"),
            () -> as(person.token()).body("{}").patch(repository),
            () -> as(person.token()).body("{}").patch("/api/orgs/" + org),
            () -> as(person.token()).body("{\"since\":0}").post(repository + "/subs/c/recover"));
    for (int i = 0; i < CHANGES; i++) {
      routes
          .get(i % routes.size())
          .get()
          .then()
          .statusCode(200)
          .header("RateLimit-Policy", "\"changes\";q=%d;w=3600".formatted(CHANGES));
    }
    routes.forEach(route -> limited(route.get().then(), "changes"));
    as(person.token()).post(repository + "/subs/c/pause").then().statusCode(200);
    as(person.token()).delete(repository + "/subs/c").then().statusCode(200);
    as(People.member(org, "owner").token()).body("{}").patch(repository).then().statusCode(200);
  }

  private static ValidatableResponse subscribe(
      People.Person person, String repository, String body, String key) {
    return as(person.token())
        .header("Idempotency-Key", key)
        .body(body)
        .post(repository + "/subs")
        .then();
  }

  private static int created(IntFunction<ValidatableResponse> create, String policy) {
    int made = 0;
    var answer = create.apply(0);
    while (answer.extract().statusCode() == 201) {
      made++;
      answer = create.apply(made);
    }
    limited(answer, policy);
    return made;
  }

  @Test
  void an_account_creates_so_many_organizations_an_hour_and_failed_attempts_count() {
    var person = People.stranger();
    organization(person, "not a name").statusCode(400);
    int made = created(_ -> organization(person, Api.unique("made")), "organizations");
    assertEquals(CREATIONS - 1, made);
    organization(People.stranger(), Api.unique("made")).statusCode(201);
  }

  @Test
  void an_account_creates_so_many_repositories_a_minute() {
    var person = People.stranger();
    var org = Api.unique("many");
    organization(person, org).statusCode(201);
    int made = created(i -> newRepository(person, org, "r" + i), "repositories");
    // The bucket fills up again while it is emptied: one in five seconds.
    assertTrue(made >= CREATIONS && made <= 2 * CREATIONS, "" + made);
  }

  @Test
  void an_account_creates_so_many_organizations_and_two_at_once_do_not_make_one_more() {
    var person = People.stranger();
    make(person, ORGANIZATIONS - 1);
    assertEquals(
        List.of(201, 429),
        AtOnce.statuses(2, _ -> organization(person, Api.unique("last")).extract().statusCode()));
    full(organization(person, Api.unique("more")));
    OwnConnections.database()
        .update("delete from organization where name = ?", "made-by-" + person.email() + "-1");
    organization(person, Api.unique("more")).statusCode(201);
    full(organization(person, Api.unique("more")));
  }

  @Test
  void organizations_that_others_made_somebody_an_owner_of_use_up_nothing() {
    var person = People.stranger();
    make(person, ORGANIZATIONS - 1);
    var org = Api.newOrg();
    role(org, person, "owner").statusCode(200);
    organization(person, Api.unique("last")).statusCode(201);
    full(organization(person, Api.unique("more")));
    role(Api.newOrg(), person, "owner").statusCode(200);
  }

  private static void full(ValidatableResponse answer) {
    answer
        .statusCode(429)
        .header("Retry-After", nullValue())
        .body("code", is("RATE_LIMITED"))
        .body("details.limit", is("organizations-per-account"))
        .body("details.max", is(ORGANIZATIONS))
        .body("details.used", is(ORGANIZATIONS));
  }

  private static ValidatableResponse role(String org, People.Person person, String role) {
    return Api.admin()
        .body(Map.of("role", role))
        .put("/api/orgs/" + org + "/members/" + person.inPath())
        .then();
  }

  /** Has an account create this number of organizations. */
  private static void make(People.Person person, int count) {
    OwnConnections.database()
        .update(
            """
            with made as (
              insert into organization (id, name, creator_id, created_at)
              select gen_random_uuid(), 'made-by-' || a.email || '-' || n, a.id, now()
              from account a, generate_series(1, ?) n where a.email = ? returning id, creator_id)
            insert into member (org_id, account_id, role, created_at)
            select id, creator_id, 'owner', now() from made
            """,
            count,
            person.email());
  }

  private static ValidatableResponse organization(People.Person person, String name) {
    return as(person.token()).body(Map.of("name", name)).post("/api/orgs").then();
  }

  private static ValidatableResponse newRepository(People.Person person, String org, String name) {
    return as(person.token()).body(Map.of("name", name)).post("/api/orgs/" + org + "/repos").then();
  }
}
