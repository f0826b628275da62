package dev.cairn.component;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.Api;
import dev.cairn.AtOnce;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.model.CanonicalJson;
import dev.cairn.model.IJson;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/components.md}, Registering. */
@HttpTest
@QuarkusTest
class RegistryTest extends OneComponent {
  private ValidatableResponse put(String members) {
    var body = (ObjectNode) Manifests.json(members);
    body.set("manifest", version("1.0.0"));
    return put(body);
  }

  private static String hash(JsonNode manifest) {
    return HexFormat.of().formatHex(CanonicalJson.hash(manifest));
  }

  @Test
  void a_component_is_registered_and_shown_with_its_manifest() {
    var manifest = Manifests.full();
    put(Registry.body(manifest))
        .statusCode(201)
        .header("Location", endsWith(Registry.path(org, NAME)))
        .body("org", is(org))
        .body("name", is(NAME))
        .body("visibility", is("private"))
        .body("version", is("1.2.0"))
        .body("manifestHash", is(hash(manifest)))
        .body("hasSetup", is(false))
        .body("mintsToken", is(false));
    var shown = get().statusCode(200).body("versions", hasSize(1)).extract();
    var answered = IJson.read(shown.asByteArray()).get("manifest");
    assertEquals(CanonicalJson.of(manifest), CanonicalJson.of(answered));
    admin()
        .header("If-None-Match", shown.header("ETag"))
        .get(Registry.path(org, NAME))
        .then()
        .statusCode(304);
  }

  @Test
  void its_versions_are_kept_and_each_can_be_read() {
    put(Registry.body(version("1.0.0"))).statusCode(201);
    put(Registry.body(version("1.1.0"))).statusCode(200).body("version", is("1.1.0"));
    put(Registry.body(version("2.0.0-rc.1"))).statusCode(200);
    get()
        .body("version", is("2.0.0-rc.1"))
        .body("versions.version", contains("2.0.0-rc.1", "1.1.0", "1.0.0"))
        .body("versions[2].manifestHash", is(hash(version("1.0.0"))));
    admin()
        .get(Registry.path(org, NAME) + "?version=1.0.0")
        .then()
        .statusCode(200)
        .body("version", is("1.0.0"))
        .body("manifest.component.version", is("1.0.0"))
        .body("manifestHash", is(hash(version("1.0.0"))));
    admin()
        .get(Registry.path(org, NAME) + "?version=3.0.0")
        .then()
        .statusCode(404)
        .body("detail", containsString("has no version `3.0.0`"));
  }

  @Test
  void the_same_version_again_changes_only_what_is_not_in_the_manifest() {
    put(Registry.body(version("1.0.0"))).statusCode(201);
    long before = get().extract().jsonPath().getLong("updatedAt");
    put(Registry.body(version("1.0.0"))).statusCode(200).body("updatedAt", is(before));
    put("{'visibility':'public','setupUrl':'https://setup.example/'}")
        .statusCode(200)
        .body("versions", hasSize(1))
        .body("visibility", is("public"))
        .body("hasSetup", is(true))
        .body("setupUrl", is("https://setup.example/"));
    // What is left out stays.
    put("{}").statusCode(200).body("visibility", is("public")).body("hasSetup", is(true));
    put("{'setupUrl':null}")
        .statusCode(200)
        .body("hasSetup", is(false))
        .body("", not(hasKey("setupUrl")));
  }

  @Test
  void another_manifest_of_a_known_version_is_a_conflict() {
    put(Registry.body(version("1.0.0"))).statusCode(201);
    var other =
        Manifests.set(version("1.0.0"), "/component/name", Manifests.json("'Another name'"));
    put(Registry.body(other).put("visibility", "public"))
        .statusCode(409)
        .body("code", is("CONFLICT"))
        .body("details.reason", is("version_exists"))
        .body("errors[0].pointer", is("/manifest/component/version"));
    get().body("visibility", is("private")).body("manifestHash", is(hash(version("1.0.0"))));
  }

  @Test
  void a_version_that_is_lower_than_the_newest_is_a_conflict() {
    put(Registry.body(version("1.10.0"))).statusCode(201);
    for (var lower : List.of("1.9.0", "1.10.0-rc.1", "0.99.99")) {
      put(Registry.body(version(lower)))
          .statusCode(409)
          .body("details.reason", is("version_too_low"))
          .body("details.newest", is("1.10.0"));
    }
    get().body("versions", hasSize(1));
  }

  @Test
  void the_manifest_must_have_the_name_of_the_path() {
    Registry.put(org, "another", Registry.body(version("1.0.0")))
        .statusCode(400)
        .body("errors.pointer", contains("/manifest/component/id"));
    for (var name : List.of("-a", "a_b", "a".repeat(101))) {
      Registry.put(org, name, Registry.body(version("1.0.0")))
          .statusCode(400)
          .body("errors.pointer", contains("?name"));
    }
  }

  @Test
  void all_violations_are_listed_at_once_with_pointers_from_the_root_of_the_body() {
    var manifest = Manifests.full();
    Manifests.set(manifest, "/component/version", Manifests.json("'1'"));
    Manifests.set(manifest, "/shapes/0/data/fields/from", Manifests.json("'text'"));
    Manifests.set(manifest, "/cli/methods/0/path", Manifests.json("'x'"));
    var body = Registry.body(manifest).put("visibility", "secret").put("mintsToken", "yes");
    body.put("setupUrl", "https://10.0.0.1/").put("credentialSetName", "").put("colour", "red");
    put(body)
        .statusCode(400)
        .body("code", is("VALIDATION_ERROR"))
        .body(
            "errors.pointer",
            containsInAnyOrder(
                "/colour",
                "/visibility",
                "/mintsToken",
                "/setupUrl",
                "/credentialSetName",
                "/manifest/component/version",
                "/manifest/shapes/0/data/fields/from",
                "/manifest/cli/methods/0/path"));
    put(Manifests.json("{}")).statusCode(400).body("errors.pointer", contains("/manifest"));
    put(Manifests.json("{'manifest':[]}"))
        .statusCode(400)
        .body("errors.pointer", contains("/manifest"));
    get().statusCode(404);
  }

  @Test
  void a_setup_url_must_be_one_that_may_be_called() {
    for (var url : List.of("http://setup.example/", "https://10.0.0.1/", "ftp://x.example/", "x")) {
      put("{'setupUrl':'" + url + "'}")
          .statusCode(400)
          .body("errors.pointer", contains("/setupUrl"))
          .body("details.reason", is("WEBHOOK_TARGET_FORBIDDEN"));
    }
    get().statusCode(404);
  }

  @Test
  void a_credential_set_must_be_one_of_the_organization() {
    put("{'credentialSetName':'setup'}")
        .statusCode(404)
        .body("errors.pointer", contains("/credentialSetName"));
    var set = "/api/orgs/" + org + "/credential-sets/setup";
    admin().body("{}").put(set).then().statusCode(200);
    put("{'credentialSetName':'setup'}").statusCode(201).body("credentialSetName", is("setup"));
    put("{'credentialSetName':null}").statusCode(200).body("", not(hasKey("credentialSetName")));
    admin().post(set + "/revoke").then().statusCode(200);
    put("{'credentialSetName':'setup'}")
        .statusCode(409)
        .body("details.reason", is("credential_set_revoked"));
  }

  @Test
  void a_component_that_mints_a_token_needs_runtime_access() {
    put("{'mintsToken':true}").statusCode(400).body("errors.pointer", contains("/mintsToken"));
    var manifest = Manifests.full();
    put(Registry.body(manifest).put("mintsToken", true))
        .statusCode(201)
        .body("mintsToken", is(true));
    Manifests.without(manifest, "/runtimeAccess");
    Manifests.set(manifest, "/component/version", Manifests.json("'1.3.0'"));
    put(Registry.body(manifest))
        .statusCode(400)
        .body("errors.pointer", contains("/manifest/runtimeAccess"));
  }

  @Test
  void the_newest_version_needs_runtime_access_whichever_is_sent() {
    put(Registry.body(full("1.0.0"))).statusCode(201);
    var without = Manifests.without(full("1.1.0"), "/runtimeAccess");
    put(Registry.body(without)).statusCode(200);
    put(Registry.body(full("1.0.0")).put("mintsToken", true))
        .statusCode(400)
        .body("errors.pointer", contains("/mintsToken"));
    put(Registry.body(full("1.2.0")).put("mintsToken", true)).statusCode(200);
    put(Registry.body(without).put("visibility", "public")).statusCode(200);
  }

  private static ObjectNode full(String version) {
    return Manifests.set(
        Manifests.full(), "/component/version", Manifests.json("'" + version + "'"));
  }

  @Test
  void to_say_where_secrets_are_sent_takes_repo_configure_too() {
    var set = "/api/orgs/" + org + "/credential-sets/setup";
    admin().body("{}").put(set).then().statusCode(200);
    var token = People.pat(Api.adminToken(), "{'permissions':['org:read','org:configure']}");
    for (var member : List.of("setupUrl", "credentialSetName")) {
      var value = member.equals("setupUrl") ? "https://setup.example/" : "setup";
      Registry.put(as(token), org, NAME, Registry.body(version("1.0.0")).put(member, value))
          .then()
          .statusCode(403)
          .body("detail", containsString("repo:configure"));
    }
    Registry.put(as(token), org, NAME, Registry.body(version("1.0.0"))).then().statusCode(201);
    put("{'setupUrl':'https://setup.example/','credentialSetName':'setup'}").statusCode(200);
    var without = Registry.body(version("1.0.0")).putNull("credentialSetName");
    Registry.put(as(token), org, NAME, without).then().statusCode(403);
    get().body("credentialSetName", is("setup"));
    admin()
        .get("/api/orgs/" + org + "/audit")
        .then()
        .body("items[0].details.setupUrl", is("https://setup.example/"))
        .body("items[0].details.credentialSetName", is("setup"))
        .body("items[0].details.changed", is("credentialSetName, setupUrl"));
    Registry.put(as(token), org, NAME, Registry.body(version("1.0.0")).putNull("setupUrl"))
        .then()
        .statusCode(200);
  }

  @Test
  void the_name_in_the_path_may_have_capital_letters() {
    var path = Registry.path(org, NAME.toUpperCase(Locale.ROOT));
    admin().body(Registry.body(version("1.0.0")).toString()).put(path).then().statusCode(201);
    get().body("name", is(NAME));
    admin().get(path).then().statusCode(200);
    admin().delete(path).then().statusCode(200);
    admin()
        .get("/api/orgs/" + org + "/audit")
        .then()
        .body("items.action", contains("component.deregistered", "component.registered"))
        .body("items.target", contains(NAME, NAME));
  }

  @Test
  void only_members_that_may_configure_the_organization_see_what_the_setup_call_uses() {
    admin().body("{}").put("/api/orgs/" + org + "/credential-sets/setup").then().statusCode(200);
    put("{'visibility':'public','setupUrl':'https://setup.example/','credentialSetName':'setup'}")
        .statusCode(201);
    var path = Registry.path(org, NAME);
    as(People.member(org, "admin").token())
        .get(path)
        .then()
        .body("setupUrl", is("https://setup.example/"))
        .body("credentialSetName", is("setup"));
    for (var caller :
        List.of(
            anonymous(),
            as(People.stranger().token()),
            as(People.member(org, "editor").token()),
            as(People.pat(Api.adminToken(), "{'permissions':['org:read']}")))) {
      caller
          .get(path)
          .then()
          .statusCode(200)
          .body("hasSetup", is(true))
          .body("", not(hasKey("setupUrl")))
          .body("", not(hasKey("credentialSetName")));
    }
  }

  @Test
  void registering_and_deregistering_take_org_configure() {
    var body = Registry.body(version("1.0.0"));
    for (var role : List.of("viewer", "editor")) {
      var caller = People.member(org, role).token();
      Registry.put(as(caller), org, NAME, body).then().statusCode(403);
      as(caller).delete(Registry.path(org, NAME)).then().statusCode(403);
    }
    var narrowed = People.pat(Api.adminToken(), "{'permissions':['org:read']}");
    Registry.put(as(narrowed), org, NAME, body).then().statusCode(403);
    Registry.put(as(People.member(org, "admin").token()), org, NAME, body).then().statusCode(201);
    as(narrowed).delete(Registry.path(org, NAME)).then().statusCode(403);
    get().statusCode(200);
  }

  @Test
  void an_archived_organization_takes_no_change() {
    put(Registry.body(version("1.0.0"))).statusCode(201);
    admin().body("{\"archived\":true}").patch("/api/orgs/" + org).then().statusCode(200);
    put(Registry.body(version("2.0.0"))).statusCode(409).body("code", is("ARCHIVED"));
    admin().delete(Registry.path(org, NAME)).then().statusCode(409).body("code", is("ARCHIVED"));
    get().statusCode(200).body("version", is("1.0.0"));
  }

  @Test
  void changes_are_in_the_audit_log() {
    put(Registry.body(version("1.0.0"))).statusCode(201);
    put("{}").statusCode(200);
    put("{'visibility':'public'}").statusCode(200);
    put(Registry.body(version("1.1.0"))).statusCode(200);
    admin().delete(Registry.path(org, NAME)).then().statusCode(200);
    admin()
        .get("/api/orgs/" + org + "/audit")
        .then()
        .body(
            "items.action",
            contains(
                "component.deregistered",
                "component.updated",
                "component.updated",
                "component.registered"))
        .body("items[0].target", is(NAME))
        .body("items[1].details", is(Map.of("version", "1.1.0")))
        .body("items[2].details", is(Map.of("changed", "visibility")))
        .body("items[3].details", is(Map.of("version", "1.0.0", "visibility", "private")));
  }

  @Test
  void of_two_registrations_at_once_one_makes_the_component() {
    var body = Registry.body(version("1.0.0")).toString();
    var statuses =
        AtOnce.statuses(
            4, _ -> Prepared.status(Api.adminToken(), "PUT", Registry.path(org, NAME), body));
    assertEquals(List.of(200, 200, 200, 201), statuses);
    get().body("versions", hasSize(1));
  }

  @Test
  void a_list_has_the_public_components_and_all_of_them_for_members() {
    for (var name : List.of("a", "c", "e")) {
      Registry.put(org, name, Registry.publicly(Manifests.least(name, "1.0.0"))).statusCode(201);
    }
    for (var name : List.of("b", "d")) {
      Registry.put(org, name, Registry.body(Manifests.least(name, "1.0.0"))).statusCode(201);
    }
    var list = "/api/component-registry/" + org;
    var narrowed = People.pat(Api.adminToken(), "{'permissions':['repo:read']}");
    for (var caller : List.of(anonymous(), as(People.stranger().token()), as(narrowed))) {
      caller.get(list).then().statusCode(200).body("items.name", contains("a", "c", "e"));
    }
    var member = People.member(org, "viewer").token();
    as(member).get(list).then().body("items.name", contains("a", "b", "c", "d", "e"));
    var first =
        anonymous()
            .get(list + "?limit=2")
            .then()
            .body("items.name", contains("a", "c"))
            .body("items[0].title", is("A component"))
            .body("items[0].version", is("1.0.0"))
            .extract();
    anonymous()
        .get(list + "?limit=2&cursor=" + first.path("nextCursor"))
        .then()
        .body("items.name", contains("e"))
        .body("", not(hasKey("nextCursor")));
    anonymous().get(list + "?cursor=x").then().statusCode(400);
    // A public component makes its organization no more visible.
    anonymous().get("/api/orgs/" + org).then().statusCode(404);
  }

  @Test
  void an_organization_without_public_components_is_for_outsiders_as_if_it_did_not_exist() {
    Registry.put(org, NAME, Registry.body(version("1.0.0"))).statusCode(201);
    var empty = Api.newRepository().split("/", -1)[3];
    var callers = Stream.of(null, People.stranger().token()).toList();
    for (var caller : callers) {
      var none = list(caller, "no-such-org-1");
      assertEquals(404, none.statusCode());
      for (var hidden : List.of(org, empty)) {
        assertEquals(
            none.asString().replace("no-such-org-1", "ORG"),
            list(caller, hidden).asString().replace(hidden, "ORG"));
      }
    }
    admin().get("/api/component-registry/" + empty).then().body("items", empty());
  }

  private static Response list(String caller, String org) {
    return (caller == null ? anonymous() : as(caller)).get("/api/component-registry/" + org);
  }

  @Test
  void the_json_schema_of_manifests_is_served() throws IOException {
    var served =
        anonymous()
            .get("/component.schema.json")
            .then()
            .statusCode(200)
            .contentType("application/schema+json")
            .extract()
            .asByteArray();
    assertEquals(
        Files.readString(Path.of("docs/component.schema.json")),
        new String(served, StandardCharsets.UTF_8));
  }
}
