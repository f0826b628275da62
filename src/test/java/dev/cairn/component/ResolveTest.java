package dev.cairn.component;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.Api;
import dev.cairn.AtOnce;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.model.CanonicalJson;
import dev.cairn.oauth.Flow;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code docs/components.md}, Resolving. */
@HttpTest
@QuarkusTest
class ResolveTest {
  private static final String NAME = "cycle-finder";

  private final Database database = OwnConnections.database();

  private String owner;
  private String repository;

  @BeforeEach
  void registerComponent() {
    owner = Api.newOrg();
    repository = Api.newRepository();
    Registry.put(owner, NAME, Registry.publicly(Manifests.full())).statusCode(201);
  }

  private ValidatableResponse resolve(String token, String into) {
    return Registry.resolve(as(token), owner, NAME, into).then();
  }

  private ValidatableResponse resolve() {
    return resolve(Api.adminToken(), repository);
  }

  private String orgOfRepository() {
    return repository.split("/", -1)[3];
  }

  private long installs() {
    return database
        .first(
            "select count(*) from component_install where repo_id = ?",
            row -> row.getLong(1),
            Api.repoId(repository))
        .orElseThrow();
  }

  @Test
  void the_newest_manifest_is_resolved_with_its_hash() {
    resolve()
        .statusCode(200)
        .body("manifest.component.version", is("1.2.0"))
        .body("manifestHash", is(HexFormat.of().formatHex(CanonicalJson.hash(Manifests.full()))))
        .body("hasSetup", is(false))
        .body("installId", notNullValue())
        .body("eligible", is(true))
        .body("reasons", empty());
    ObjectNode next =
        Manifests.set(Manifests.full(), "/component/version", Manifests.json("'1.3.0'"));
    Registry.put(owner, NAME, Registry.body(next).put("setupUrl", "https://setup.example/"))
        .statusCode(200);
    resolve().body("manifest.component.version", is("1.3.0")).body("hasSetup", is(true));
  }

  @Test
  void the_id_of_an_install_is_reserved_once_for_a_repository_and_a_component() {
    var first = resolve().extract().<String>path("installId");
    assertEquals(first, resolve().extract().path("installId"));
    assertNotEquals(
        first, resolve(Api.adminToken(), Api.newRepository()).extract().path("installId"));
    Registry.put(owner, "other", Registry.publicly(Manifests.least("other", "1.0.0")));
    Registry.resolve(admin(), owner, "other", repository).then().statusCode(200);
    assertEquals(
        List.of("resolved", "resolved"),
        database.list(
            "select state from component_install where repo_id = ? and number is null",
            row -> row.getString(1),
            Api.repoId(repository)));
  }

  @Test
  void resolving_at_once_reserves_one_id() {
    var body = "{\"installRepo\":\"" + repository.substring("/api/repos/".length()) + "\"}";
    var path = Registry.path(owner, NAME) + "/resolve";
    assertEquals(
        List.of(200, 200, 200, 200),
        AtOnce.statuses(4, _ -> Prepared.status(Api.adminToken(), "POST", path, body)));
    assertEquals(1, installs());
  }

  @Test
  void it_takes_repo_write_on_the_repository() {
    var viewer = People.member(orgOfRepository(), "viewer").token();
    resolve(viewer, repository)
        .statusCode(403)
        .body("code", is("FORBIDDEN"))
        .body("errors.pointer", contains("/installRepo"));
    var hidden = Api.newRepository("private");
    var stranger = People.stranger().token();
    resolve(stranger, repository).statusCode(403);
    resolve(stranger, hidden).statusCode(404).body("errors.pointer", contains("/installRepo"));
    Registry.resolve(anonymous(), owner, NAME, repository).then().statusCode(401);
    resolve(People.narrowedPat(repository, "repo:read"), repository).statusCode(403);
    assertEquals(0, installs());
  }

  @Test
  void the_repository_must_be_named() {
    for (var body :
        List.of("{}", "{'installRepo':null}", "{'installRepo':'repo'}", "{'installRepo':'A/b'}")) {
      admin()
          .body(body.replace('\'', '"'))
          .post(Registry.path(owner, NAME) + "/resolve")
          .then()
          .statusCode(400)
          .body("errors.pointer", contains("/installRepo"));
    }
    admin()
        .body("{\"installRepo\":\"a/b\",\"version\":\"1.0.0\"}")
        .post(Registry.path(owner, NAME) + "/resolve")
        .then()
        .statusCode(400)
        .body("errors.pointer", contains("/version"));
  }

  @Test
  void whoever_may_not_install_it_is_told_why() {
    var editor = People.member(orgOfRepository(), "editor").token();
    resolve(editor, repository)
        .statusCode(200)
        .body("", not(hasKey("installId")))
        .body("eligible", is(false))
        .body("reasons.code", contains("permission_missing"))
        .body("reasons[0].detail", containsString("`repo:configure`"));
    resolve(People.narrowedPat(repository, "repo:write", "Cycle/**"), repository)
        .statusCode(200)
        .body("eligible", is(false))
        .body(
            "reasons.detail",
            containsInAnyOrder(
                containsString("`repo:read`"),
                containsString("`repo:write`"),
                containsString("`repo:configure`")));
  }

  @Test
  void what_the_tokens_of_its_subscriptions_may_do_is_needed_to_install_it() {
    var manifest = Manifests.full();
    Manifests.set(manifest, "/component/version", Manifests.json("'2.0.0'"));
    Manifests.set(
        manifest,
        "/subscriptions/0",
        Manifests.json(
            "{'name':'s','kind':'sprite','on':'Dependency','filter':{},"
                + "'spriteConfig':{'command':'true','inputMode':'stdin'},"
                + "'tokenScopes':[{'permissions':['repo:admin']}]}"));
    Registry.put(owner, NAME, Registry.body(manifest)).statusCode(200);
    var pat =
        People.pat(Api.adminToken(), "{'permissions':['repo:read','repo:write','repo:configure']}");
    resolve(pat, repository)
        .body("eligible", is(false))
        .body("reasons.detail", contains(containsString("`repo:admin`")));
    resolve().body("eligible", is(true));
  }

  @Test
  void a_token_that_is_delegated_to_a_program_installs_nothing() {
    var email = Flow.newAccount();
    admin()
        .body(Map.of("role", "owner"))
        .put("/api/orgs/" + orgOfRepository() + "/members/" + email)
        .then()
        .statusCode(200);
    resolve(Flow.programToken(email), repository)
        .statusCode(200)
        .body("eligible", is(false))
        .body("reasons.code", contains("delegated_token"));
  }

  @Test
  void in_an_archived_repository_nothing_is_reserved() {
    var before = resolve().extract().<String>path("installId");
    var archived = Api.newRepository();
    for (var each : List.of(repository, archived)) {
      admin().body("{\"archived\":true}").patch(each).then().statusCode(200);
    }
    resolve(Api.adminToken(), archived)
        .statusCode(200)
        .body("", not(hasKey("installId")))
        .body("eligible", is(false))
        .body("reasons.code", contains("archived"));
    resolve().body("installId", is(before)).body("eligible", is(false));
  }

  @Test
  void a_repository_remembers_200_components_that_are_only_resolved() {
    String first = resolve().statusCode(200).extract().path("installId");
    Registry.fill(database, owner);
    database.update(
        """
        insert into component_install (repo_id, id, component_id, state, created_at, updated_at)
        select ?, ('ff' || substr(gen_random_uuid()::text, 3))::uuid, c.id, 'resolved', now(), now()
        from component c join organization o on o.id = c.org_id
        where o.name = ? and c.name like 'filled-%'
        """,
        Api.repoId(repository), owner);
    resolve().body("installId", is(first));
    assertEquals(200, installs());
    var other = Api.newOrg();
    Registry.put(other, NAME, Registry.publicly(Manifests.full())).statusCode(201);
    Registry.resolve(admin(), other, NAME, repository).then().statusCode(200);
    assertEquals(200, installs());
    // The oldest gave way.
    resolve().statusCode(200).body("installId", not(is(first)));
    assertEquals(200, installs());
  }

  @Test
  void a_private_component_is_resolved_for_members_of_its_organization_only() {
    Registry.put(owner, NAME, Registry.body(Manifests.full()).put("visibility", "private"))
        .statusCode(200);
    var member = People.member(owner, "viewer");
    admin()
        .body(Map.of("role", "admin"))
        .put("/api/orgs/" + orgOfRepository() + "/members/" + member.inPath())
        .then()
        .statusCode(200);
    resolve(member.token(), repository).statusCode(200).body("eligible", is(true));
    var admin = People.member(orgOfRepository(), "admin").token();
    resolve(admin, repository)
        .statusCode(404)
        .body("detail", containsString("There is no component `" + owner + "/" + NAME + "`"));
  }

  @Test
  void a_deleted_repository_leaves_no_install() {
    resolve().statusCode(200);
    UUID repoId = Api.repoId(repository);
    admin().delete(repository).then().statusCode(200);
    assertEquals(
        0L,
        database
            .first(
                "select count(*) from component_install where repo_id = ?",
                row -> row.getLong(1),
                repoId)
            .orElseThrow());
  }
}
