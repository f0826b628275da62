package dev.cairn.tenant;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static dev.cairn.Api.newOrg;
import static dev.cairn.Api.newRepository;
import static dev.cairn.Api.unique;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.AtOnce;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.access.limit.Quotas.Quota;
import dev.cairn.platform.Configs;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** docs/limits.md, Quotas: those of organizations, by their default numbers. */
@HttpTest
@QuarkusTest
class QuotaTest {
  private final Database database = OwnConnections.database();

  private static Response create(String org) {
    return admin().body(Map.of("name", unique("r"))).post("/api/orgs/" + org + "/repos");
  }

  private static Response invite(String org) {
    return admin()
        .body(Map.of("role", "viewer"))
        .put("/api/orgs/" + org + "/members/" + unique("invited") + "%40example.org");
  }

  /** Makes repositories without content, up to a number of them. */
  private void fillRepositories(String org, int count) {
    database.update(
        """
        insert into repository (id, org_id, name, visibility, created_at, updated_at)
        select gen_random_uuid(), o.id, 'filled-' || n, 'private', now(), now()
        from organization o, generate_series(1, ?) n where o.name = ?
        """,
        count,
        org);
  }

  private void fillInvitations(String org, int count) {
    database.update(
        """
        insert into invitation (org_id, email, role, invited_by, created_at)
        select o.id, 'filled-' || n || '@example.org', 'viewer', (select id from account limit 1), now()
        from organization o, generate_series(1, ?) n where o.name = ?
        """,
        count,
        org);
  }

  @Test
  void the_defaults_are_those_that_the_documentation_promises() {
    var quotas = Configs.of(Map.of()).quotas();
    assertEquals(20, quotas.organizationsPerAccount());
    assertEquals(1_000, quotas.tokensPerAccount());
    assertEquals(500, quotas.repositoriesPerOrganization());
    assertEquals(1_000, quotas.membersPerOrganization());
    assertEquals(1_000, quotas.subscriptionsPerRepository());
    assertEquals(200, quotas.componentsPerOrganization());
    assertEquals(0, quotas.bytesPerOrganization());
    assertEquals(1, quotas.exportsBuildingPerAccount());
    assertEquals(3, quotas.exportsPerRepository());
    assertEquals(20L * 1024 * 1024 * 1024, quotas.exportBytes());
  }

  @Test
  void an_organization_has_500_repositories_and_two_at_once_do_not_make_one_more() {
    var org = newOrg();
    fillRepositories(org, 499);
    assertEquals(List.of(201, 429), AtOnce.statuses(2, _ -> create(org).statusCode()));
    create(org)
        .then()
        .statusCode(429)
        .header("Retry-After", nullValue())
        .body("code", is("RATE_LIMITED"))
        .body("detail", is("An organization has at most 500 repositories."))
        .body("details.limit", is("repositories-per-organization"))
        .body("details.max", is(500))
        .body("details.used", is(500));
    database.update(
        """
        delete from repository where name = 'filled-1'
          and org_id = (select id from organization where name = ?)
        """,
        org);
    assertUsed(org, "repositories", 499);
    create(org).then().statusCode(201);
    assertUsed(org, "repositories", 500);
  }

  @Test
  void an_organization_has_1000_members_with_the_invited_ones() {
    var org = newOrg();
    fillInvitations(org, 998);
    assertEquals(List.of(200, 429), AtOnce.statuses(2, _ -> invite(org).statusCode()));
    var stranger = People.stranger();
    admin()
        .body(Map.of("role", "viewer"))
        .put("/api/orgs/" + org + "/members/" + stranger.inPath())
        .then()
        .statusCode(429)
        .header("Retry-After", nullValue())
        .body("details.limit", is("members-per-organization"))
        .body("details.max", is(1_000))
        .body("details.used", is(1_000));
    // Whoever is there already changes as before.
    admin()
        .body(Map.of("role", "editor"))
        .put("/api/orgs/" + org + "/members/filled-1%40example.org")
        .then()
        .statusCode(200);
    admin().delete("/api/orgs/" + org + "/members/filled-1%40example.org").then().statusCode(200);
    admin()
        .body(Map.of("role", "viewer"))
        .put("/api/orgs/" + org + "/members/" + stranger.inPath())
        .then()
        .statusCode(200);
  }

  @Test
  void a_repository_has_1000_subscriptions_and_two_at_once_do_not_make_one_more() {
    var repository = newRepository();
    Prepared.commit(repository, "{'operation':'add','name':'Shape/S','data':{'fields':{}}}");
    subscribe(repository, "first").then().statusCode(201);
    database.update(
        """
        insert into subscription (repo_id, id, name, kind, executor_kind, active, source_repo_id,
                                  shape_id, filter, webhook_url, allow_trace_reentry,
                                  notify_on_success, workspace_policy, base_url, created_at,
                                  updated_at)
        select repo_id, gen_random_uuid(), 'filled-' || n, kind, executor_kind, false,
               source_repo_id, shape_id, filter, webhook_url, allow_trace_reentry,
               notify_on_success, workspace_policy, base_url, created_at, updated_at
        from subscription, generate_series(1, 998) n where repo_id = ? and name = 'first'
        """,
        Api.repoId(repository));
    assertEquals(
        List.of(201, 429),
        AtOnce.statuses(2, i -> subscribe(repository, "last-" + i).statusCode()));
    subscribe(repository, "one-more")
        .then()
        .statusCode(429)
        .header("Retry-After", nullValue())
        .body("details.limit", is("subscriptions-per-repository"))
        .body("details.max", is(1_000))
        .body("details.used", is(1_000));
    assertUsed(orgOf(repository), "subscriptions", 1_000);
    admin().delete(repository + "/subs/first").then().statusCode(200);
    assertUsed(orgOf(repository), "subscriptions", 999);
    subscribe(repository, "one-more").then().statusCode(201);
  }

  private static String orgOf(String repository) {
    return repository.split("/", -1)[3];
  }

  private static void assertUsed(String org, String quota, int used) {
    admin().get("/api/orgs/" + org).then().body("usage." + quota + ".used", is(used));
  }

  private static long bytesUsed(String org) {
    return admin().get("/api/orgs/" + org).then().extract().jsonPath().getLong("usage.bytes.used");
  }

  private static Response subscribe(String repository, String name) {
    return admin()
        .body(
            Map.of(
                "name",
                name,
                "kind",
                "webhook",
                "shapeName",
                "S",
                "filterJson",
                Map.of(),
                "webhookUrl",
                "https://example.org/hook"))
        .post(repository + "/subs");
  }

  @Test
  void members_see_the_usage_and_nobody_else_does() {
    var repository = newRepository();
    var org = repository.split("/", -1)[3];
    var viewer = People.member(org, "viewer");
    invite(org).then().statusCode(200);
    for (var token : List.of(Api.adminToken(), viewer.token())) {
      as(token)
          .get("/api/orgs/" + org)
          .then()
          .statusCode(200)
          .body("usage.repositories.used", is(1))
          .body("usage.repositories.limit", is(500))
          .body("usage.members.used", is(3))
          .body("usage.members.limit", is(1_000))
          .body("usage.subscriptions.used", is(0))
          .body("usage.subscriptions.limit", is(1_000))
          .body("usage.components.used", is(0))
          .body("usage.components.limit", is(200))
          .body("usage.exports.used", is(0))
          .body("usage.exports.limit", is(3))
          .body("usage.exportBytes.used", is(0))
          .body("usage.exportBytes.limit", is(5L * 1024 * 1024 * 1024))
          .body("usage.bytes.used", greaterThan(1_000))
          .body("usage.bytes.limit", nullValue());
    }
    anonymous().get("/api/orgs/" + org).then().statusCode(200).body("usage", nullValue());
    as(People.stranger().token())
        .get("/api/orgs/" + org)
        .then()
        .statusCode(200)
        .body("usage", nullValue());
    var narrowed = People.narrowedPat(repository, "repo:read", "S/*");
    as(narrowed).get("/api/orgs/" + org).then().statusCode(200).body("usage", nullValue());
    admin().get("/api/orgs").then().body("items.find { it.usage != null }", nullValue());
  }

  @Test
  void the_usage_has_the_subscriptions_and_exports_of_the_fullest_repository() {
    var org = newOrg();
    var one = repositoryOf(org);
    var other = repositoryOf(org);
    for (var repository : List.of(one, other)) {
      Prepared.commit(repository, "{'operation':'add','name':'Shape/S','data':{'fields':{}}}");
      subscribe(repository, "first").then().statusCode(201);
      keepExport(repository, "1 hour", 3);
    }
    assertUsed(org, "subscriptions", 1);
    assertUsed(org, "exports", 1);
    assertUsed(org, "exportBytes", 6);
    subscribe(other, "second").then().statusCode(201);
    keepExport(other, "1 hour", 5);
    long before = bytesUsed(org);
    // An expired export no longer counts for its organization's share. It still counts in `bytes`
    // until it is deleted.
    keepExport(other, "0 hours", 100);
    assertEquals(before + 100, bytesUsed(org));
    assertUsed(org, "subscriptions", 2);
    assertUsed(org, "exports", 2);
    assertUsed(org, "exportBytes", 11);
  }

  private static String repositoryOf(String org) {
    return "/api/repos/" + org + "/" + create(org).then().statusCode(201).extract().path("name");
  }

  private void keepExport(String repository, String time, int bytes) {
    database.update(
        """
        insert into export_job (repo_id, id, token_hash, at_seq, state, due_at, content_sha256,
                                created_at, expires_at, stored_bytes)
        select ?, id, sha256(id::text::bytea), 1, 'complete', now(), sha256(''), now(),
               now() + ?::interval, ?
        from (select gen_random_uuid() as id) j
        """,
        Api.repoId(repository),
        time,
        bytes);
  }

  @Test
  void the_usage_has_the_components_that_are_registered() {
    var org = newOrg();
    var component = "/api/component-registry/" + org + "/tool";
    assertUsed(org, "components", 0);
    admin()
        .body(
            """
            {"manifest": {"component": {"id": "tool", "name": "T", "version": "1.0.0"}}}""")
        .put(component)
        .then()
        .statusCode(201);
    assertUsed(org, "components", 1);
    admin().delete(component).then().statusCode(200);
    assertUsed(org, "components", 0);
  }

  @Test
  void a_token_that_may_not_read_everything_sees_no_usage() {
    var repository = newRepository();
    var org = repository.split("/", -1)[3];
    var resource = org + "/" + repository.split("/", -1)[4];
    var orgRead = "{'resource':'%s','permissions':['org:read']}".formatted(org);
    var readsAll = "{'resource':'%s','permissions':['org:read','repo:read']}".formatted(org);
    var one = "{'resource':'%s','permissions':['repo:read']}".formatted(resource);
    var some = one.replace("}", ",'allowedMatches':['S/*']}");
    assertEquals(1, usedBy(org, readsAll));
    assertNull(usedBy(org, orgRead));
    assertNull(usedBy(org, orgRead + "," + one));
    assertNull(usedBy(org, readsAll + "," + some));
  }

  private static Integer usedBy(String org, String scopes) {
    return as(People.pat(Api.adminToken(), scopes))
        .get("/api/orgs/" + org)
        .then()
        .statusCode(200)
        .extract()
        .path("usage.repositories.used");
  }

  @Test
  void refusals_are_counted_by_quota_and_by_nothing_else() {
    var org = newOrg();
    fillRepositories(org, 500);
    double before = refused("repositories-per-organization");
    create(org).then().statusCode(429);
    assertEquals(before + 1, refused("repositories-per-organization"));
    var lines =
        anonymous()
            .get("/q/metrics")
            .asString()
            .lines()
            .filter(line -> line.startsWith("cairn_quotas_refused_total"))
            .toList();
    assertEquals(Quota.values().length, lines.size(), lines.toString());
    assertTrue(lines.stream().allMatch(line -> line.matches("[^{]+\\{quota=\"[a-z-]+\"} .*")));
    assertFalse(lines.toString().contains(org));
  }

  private static double refused(String quota) {
    return anonymous()
        .get("/q/metrics")
        .then()
        .body(notNullValue())
        .extract()
        .asString()
        .lines()
        .filter(line -> line.startsWith("cairn_quotas_refused_total{quota=\"" + quota + "\"}"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }
}
