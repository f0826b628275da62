package dev.cairn.tenant;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static dev.cairn.tenant.Tenancy.ORGS;
import static dev.cairn.tenant.Tenancy.invalid;
import static dev.cairn.tenant.Tenancy.members;
import static dev.cairn.tenant.Tenancy.org;
import static dev.cairn.tenant.Tenancy.refused;
import static dev.cairn.tenant.Tenancy.remove;
import static dev.cairn.tenant.Tenancy.repos;
import static dev.cairn.tenant.Tenancy.role;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.instanceOf;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Prepared;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tenancy: organizations, members, repositories, archiving. */
@HttpTest
@QuarkusTest
class TenancyTest {
  private static final String SHAPE =
      "{'operation':'add','kind':'shape','name':'%s','data':{'fields':{}}}";

  @Test
  void the_creator_of_an_organization_owns_it() {
    var person = People.stranger();
    var name = Api.unique("mine");
    as(person.token())
        .body(Map.of("name", name, "displayName", "Mine", "description", "All mine"))
        .post(ORGS)
        .then()
        .statusCode(201)
        .header("Location", endsWith("/api/orgs/" + name))
        .body("name", is(name))
        .body("displayName", is("Mine"))
        .body("description", is("All mine"))
        .body("role", is("owner"))
        .body("createdAt", instanceOf(Long.class));
    as(person.token()).get(ORGS).then().body("items.name", contains(name));
    as(person.token())
        .get(members(name))
        .then()
        .body("items.email", contains(person.email()))
        .body("items.role", contains("owner"));
    refused(anonymous().body(Map.of("name", "x")).post(ORGS), 401, "UNAUTHENTICATED");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "A", "Abc", "-a", "a-", ".a", "a.", "a..b", "a/b", "a b", "é", "a%", "_a"})
  void a_malformed_name_is_refused(String name) {
    var org = Api.newOrg();
    invalid(admin().body(Map.of("name", name)).post(ORGS), "/name");
    invalid(admin().body(Map.of("name", name)).post(repos(org)), "/name");
    admin().get(repos(org)).then().body("items", empty());
  }

  @Test
  void a_name_has_1_to_100_characters() {
    var org = Api.newOrg();
    for (var name : List.of("a", "0", "a.b-c_d", "x".repeat(100))) {
      admin().body(Map.of("name", name)).post(repos(org)).then().statusCode(201);
      admin().get("/api/repos/" + org + "/" + name).then().statusCode(200).body("name", is(name));
    }
    invalid(admin().body(Map.of("name", "x".repeat(101))).post(repos(org)), "/name");
    invalid(admin().body(Map.of("name", "x".repeat(101))).post(ORGS), "/name");
    invalid(admin().body("{}").post(repos(org)), "/name");
    invalid(admin().body("{}").post(ORGS), "/name");
  }

  @ParameterizedTest
  @ValueSource(strings = {"admin", "q", "cairn", ".well-known"})
  void a_reserved_organization_name_is_refused(String name) {
    refused(admin().body(Map.of("name", name)).post(ORGS), 400, "RESERVED_NAME");
    refused(admin().get(ORGS + "/" + name), 404, "NOT_FOUND");
  }

  @Test
  void names_reserved_for_organizations_are_fine_for_repositories() {
    var org = Api.newOrg();
    for (var name : List.of("api", "q", "mcp")) {
      admin().body(Map.of("name", name)).post(repos(org)).then().statusCode(201);
    }
  }

  @Test
  void a_taken_name_is_refused_for_every_caller() {
    var org = Api.newOrg();
    var person = People.stranger();
    refused(as(person.token()).body(Map.of("name", org)).post(ORGS), 409, "ALREADY_EXISTS");
    admin().body(Map.of("name", "r")).post(repos(org)).then().statusCode(201);
    refused(admin().body(Map.of("name", "r")).post(repos(org)), 409, "ALREADY_EXISTS");
  }

  @Test
  void one_of_many_creations_of_the_same_name_at_once_succeeds() throws Exception {
    var name = Api.unique("race");
    for (var path : List.of(ORGS, repos(Api.newOrg()))) {
      Callable<Integer> create = () -> admin().body(Map.of("name", name)).post(path).statusCode();
      var statuses = new ArrayList<Integer>();
      try (var pool = Executors.newFixedThreadPool(6)) {
        for (var future : pool.invokeAll(Collections.nCopies(6, create))) {
          statuses.add(future.get());
        }
      }
      Collections.sort(statuses);
      assertEquals(List.of(201, 409, 409, 409, 409, 409), statuses, path);
    }
  }

  @Test
  void texts_have_limits_and_unknown_members_are_named() {
    var org = Api.newOrg();
    var path = ORGS + "/" + org;
    admin().body(Map.of("description", "x".repeat(2_000))).patch(path).then().statusCode(200);
    admin().body(Map.of("displayName", "x".repeat(200))).patch(path).then().statusCode(200);
    invalid(admin().body(Map.of("description", "y".repeat(2_001))).patch(path), "/description");
    invalid(admin().body(Map.of("displayName", "y".repeat(201))).patch(path), "/displayName");
    invalid(admin().body(Map.of("owner", "y")).patch(path), "/owner");
    admin()
        .get(path)
        .then()
        .body("description", is("x".repeat(2_000)))
        .body("displayName", is("x".repeat(200)));
  }

  @Test
  void a_repository_is_private_unless_made_public() {
    var org = Api.newOrg();
    admin()
        .body(Map.of("name", "r", "description", "d"))
        .post(repos(org))
        .then()
        .statusCode(201)
        .header("Location", endsWith("/api/repos/" + org + "/r"))
        .body("orgName", is(org))
        .body("name", is("r"))
        .body("description", is("d"))
        .body("visibility", is("private"))
        .body("repoSeq", is(0))
        .body("archivedAt", nullValue());
    for (var visibility : List.of("", "Public", "secret")) {
      invalid(
          admin().body(Map.of("name", "s", "visibility", visibility)).post(repos(org)),
          "/visibility");
    }
    admin().get(repos(org)).then().body("items.name", contains("r"));
  }

  @Test
  void lists_are_paged_in_byte_order() {
    var org = Api.newOrg();
    for (var name : List.of("b", "a-b", "a", "a.b", "0", "a_b", "ab")) {
      admin().body(Map.of("name", name)).post(repos(org)).then().statusCode(201);
    }
    var all = new ArrayList<String>();
    String cursor = null;
    do {
      var url = repos(org) + "?limit=3" + (cursor == null ? "" : "&cursor=" + cursor);
      var page = admin().get(url).then().statusCode(200).extract();
      all.addAll(page.path("items.name"));
      cursor = page.path("nextCursor");
    } while (cursor != null);
    assertEquals(List.of("0", "a", "a-b", "a.b", "a_b", "ab", "b"), all);
  }

  @Test
  void limits_and_cursors_follow_the_rules_of_all_lists() {
    var org = Api.newOrg();
    admin().body(Map.of("name", "a")).post(repos(org)).then().statusCode(201);
    admin().body(Map.of("name", "b")).post(repos(org)).then().statusCode(201);
    String ofRepos = admin().get(repos(org) + "?limit=1").then().extract().path("nextCursor");
    for (var path : List.of(repos(Api.newOrg()), members(org), ORGS)) {
      invalid(admin().get(path + "?cursor=" + ofRepos), "?cursor");
      for (var limit : List.of("0", "501", "abc")) {
        invalid(admin().get(path + "?limit=" + limit), "?limit");
      }
      admin().get(path + "?limit=1").then().statusCode(200);
      admin().get(path + "?limit=500").then().statusCode(200);
    }
  }

  @Test
  void changes_of_different_fields_at_once_are_all_kept() throws Exception {
    var org = Api.newOrg();
    admin().body(Map.of("name", "r", "visibility", "private")).post(repos(org));
    var repo = "/api/repos/" + org + "/r";
    try (var pool = Executors.newFixedThreadPool(8)) {
      for (int round = 0; round < 15; round++) {
        var text = "round " + round;
        var visibility = round % 2 == 0 ? "public" : "private";
        var changes = new ArrayList<Callable<Integer>>();
        for (int i = 0; i < 2; i++) {
          changes.add(() -> patch(ORGS + "/" + org, "displayName", text));
          changes.add(() -> patch(ORGS + "/" + org, "description", text));
          changes.add(() -> patch(repo, "visibility", visibility));
          changes.add(() -> patch(repo, "description", text));
        }
        for (var future : pool.invokeAll(changes)) {
          assertEquals(200, future.get());
        }
        admin()
            .get(ORGS + "/" + org)
            .then()
            .body("displayName", is(text))
            .body("description", is(text));
        admin().get(repo).then().body("visibility", is(visibility)).body("description", is(text));
      }
    }
  }

  private static int patch(String path, String field, String value) {
    return admin().body(Map.of(field, value)).patch(path).statusCode();
  }

  @Test
  void an_archived_repository_is_read_and_not_written_until_unarchived() {
    var repository = Api.newRepository();
    Prepared.commit(repository, SHAPE.formatted("A"));
    admin()
        .body(Map.of("archived", true))
        .patch(repository)
        .then()
        .statusCode(200)
        .body("archivedAt", instanceOf(Long.class));
    Api.commit(repository, SHAPE.formatted("B")).statusCode(409).body("code", is("ARCHIVED"));
    refused(admin().body(Map.of("description", "x")).patch(repository), 409, "ARCHIVED");
    refused(admin().body(Map.of("archived", true)).patch(repository), 409, "ARCHIVED");
    refused(admin().delete(repository), 409, "ARCHIVED");
    anonymous().get(repository + "/head").then().body("items.name", contains("A"));
    admin()
        .body(Map.of("archived", false))
        .patch(repository)
        .then()
        .statusCode(200)
        .body("archivedAt", nullValue())
        .body("description", nullValue());
    Prepared.commit(repository, SHAPE.formatted("B"));
  }

  @Test
  void an_archived_organization_takes_no_writes_in_any_of_its_repositories() {
    var repository = Api.newRepository();
    var org = org(repository);
    var path = ORGS + "/" + org;
    var person = People.member(org, "viewer");
    admin().body(Map.of("archived", true)).patch(path).then().statusCode(200);
    anonymous().get(repository + "/head").then().statusCode(200);
    admin().get(repository).then().body("archivedAt", instanceOf(Long.class));
    Api.commit(repository, SHAPE.formatted("A")).statusCode(409).body("code", is("ARCHIVED"));
    refused(admin().body(Map.of("description", "x")).patch(repository), 409, "ARCHIVED");
    refused(
        admin().body(Map.of("archived", false, "description", "x")).patch(repository),
        409,
        "ARCHIVED");
    refused(admin().body(Map.of("name", "n")).post(repos(org)), 409, "ARCHIVED");
    refused(admin().body(Map.of("displayName", "x")).patch(path), 409, "ARCHIVED");
    refused(role(admin(), org, person, "editor"), 409, "ARCHIVED");
    refused(role(admin(), org, People.stranger(), "editor"), 409, "ARCHIVED");
    refused(remove(admin(), org, person), 409, "ARCHIVED");
    admin().get(members(org)).then().body("items.role", contains("owner", "viewer"));
    admin().body(Map.of("archived", false)).patch(path).then().statusCode(200);
    Prepared.commit(repository, SHAPE.formatted("A"));
    admin().get(repository).then().body("description", nullValue());
  }

  @Test
  void of_writes_to_an_archived_organization_the_invalid_and_forbidden_say_so() {
    var org = Api.newOrg();
    var admin = People.member(org, "admin");
    var owner = People.member(org, "owner");
    var path = ORGS + "/" + org;
    admin().body(Map.of("archived", true)).patch(path).then().statusCode(200);
    invalid(admin().body(Map.of("displayName", "x".repeat(201))).patch(path), "/displayName");
    invalid(admin().body(Map.of("name", "A")).post(repos(org)), "/name");
    invalid(role(admin(), org, admin, "root"), "/role");
    refused(role(as(admin.token()), org, owner, "viewer"), 403, "FORBIDDEN");
    refused(role(as(admin.token()), org, admin, "owner"), 403, "FORBIDDEN");
    refused(remove(as(admin.token()), org, owner), 403, "FORBIDDEN");
    refused(as(admin.token()).body(Map.of("archived", false)).patch(path), 403, "FORBIDDEN");
  }
}
