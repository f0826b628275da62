package dev.cairn.subscription;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static dev.cairn.subscription.Subs.ADMIN_SCOPES;
import static dev.cairn.subscription.Subs.bind;
import static dev.cairn.subscription.Subs.cron;
import static dev.cairn.subscription.Subs.forbidden;
import static dev.cairn.subscription.Subs.get;
import static dev.cairn.subscription.Subs.named;
import static dev.cairn.subscription.Subs.pat;
import static dev.cairn.subscription.Subs.put;
import static dev.cairn.subscription.Subs.sprite;
import static dev.cairn.subscription.Subs.subscribe;
import static dev.cairn.subscription.Subs.webhook;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.People.Person;
import dev.cairn.TestDatabase;
import dev.cairn.mcp.Mcp;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.ValidatableResponse;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code docs/subscriptions.md}, Principal. */
@HttpTest
@QuarkusTest
class PrincipalTest {
  private final Database database = OwnConnections.database();

  private String repository;
  private Person editor;

  @BeforeEach
  void makeRepository() {
    repository = Subs.privateRepository();
    editor = People.member(named(repository).split("/", -1)[0], "editor");
  }

  private String sub(String name) {
    return repository + "/subs/" + name;
  }

  private ValidatableResponse patch(String token, String name, String body) {
    return as(token).body(body.replace('\'', '"')).patch(sub(name)).then();
  }

  private ValidatableResponse create(String token, String body) {
    return as(token).body(body.replace('\'', '"')).post(repository + "/subs").then();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'spriteConfig':{'command':'env'}}",
        "{'spriteConfig':{'gitRepo':'o/r','ref':'main'}}",
        "{'spriteConfig':{'ref':'evil'}}",
        "{'spriteConfig':{'inputMode':'env'}}",
        "{'spriteConfig':{'inputPath':'bin/tool'}}",
        "{'spriteConfig':{'spriteName':'shared'}}",
        "{'spriteConfig':{'spritePool':'shared'}}"
      })
  void an_editor_changes_nothing_that_acts_with_rights_beyond_theirs(String change) {
    subscribe(repository, sprite("s", ADMIN_SCOPES)).statusCode(201);
    forbidden(patch(editor.token(), "s", change), "repo:admin");
    get(repository, "s")
        .body("spriteConfig", equalTo(Map.of("command", "cat", "inputMode", "stdin")));
    var own = sprite("own", ",'tokenScopes':[{'permissions':['repo:write']}]");
    subscribe(repository, own).statusCode(201);
    patch(editor.token(), "own", change).statusCode(200);
    get(repository, "own").body("principal", equalTo(editor.email()));
  }

  /** The address that a run's token is sent to must not be chosen by an earlier principal. */
  @ParameterizedTest
  @ValueSource(strings = {"patch", "bind", "unbind", "resume"})
  void a_new_principal_determines_the_base_url_too(String change) {
    create(editor.token(), sprite("s", "")).statusCode(201);
    var chosen = "http://localhost:6666";
    var update = "update subscription set base_url = ? where base_url = ? and repo_id = ?";
    database.update(update, chosen, baseUrl(), repoId());
    assertEquals(chosen, baseUrl());
    put(repository, Api.adminToken(), Map.of("API_KEY", "k")).statusCode(200);
    switch (change) {
      case "patch" ->
          Subs.patch(repository, "s", "{'spriteConfig':{'command':'cat -'}}").statusCode(200);
      case "bind" -> bind(repository, Api.adminToken(), "s").statusCode(200);
      case "unbind" -> {
        // Of an account that may not use the secrets, it would stay.
        admin()
            .body(Map.of("role", "admin"))
            .put("/api/orgs/" + named(repository).split("/", -1)[0] + "/members/" + editor.inPath())
            .then()
            .statusCode(200);
        database.update(
            "update subscription set credential_set = 'set' where repo_id = ?", repoId());
        admin().delete(sub("s") + "/bind").then().statusCode(200);
      }
      default -> {
        Subs.post(repository, "s", "pause").statusCode(200);
        assertEquals(chosen, baseUrl());
        Subs.post(repository, "s", "resume").statusCode(200);
      }
    }
    get(repository, "s").body("principal", equalTo(TestDatabase.ADMIN_EMAIL));
    assertEquals("http://127.0.0.1:" + RestAssured.port, baseUrl());
  }

  private String baseUrl() {
    return database
        .first(
            "select base_url from subscription where repo_id = ?",
            row -> row.getString(1),
            repoId())
        .orElseThrow();
  }

  private UUID repoId() {
    return database
        .first(
            """
            select r.id from repository r join organization o on o.id = r.org_id
            where o.name || '/' || r.name = ?
            """,
            row -> row.getObject(1, UUID.class),
            named(repository))
        .orElseThrow();
  }

  @Test
  void a_schedule_is_no_way_around_it() {
    subscribe(
            repository,
            "{'name':'c','kind':'cron','executorKind':'webhook','webhookUrl':'%s','cronConfig':"
                    .formatted(Subs.URL)
                + "{'cronspec':'0 3 * * *'}"
                + ADMIN_SCOPES
                + "}")
        .statusCode(201);
    forbidden(
        patch(
            editor.token(),
            "c",
            "{'executorKind':'sprite','spriteConfig':{'command':'env','inputMode':'stdin'}}"),
        "repo:admin");
    forbidden(patch(editor.token(), "c", "{'webhookUrl':'http://127.0.0.1:8/'}"), "repo:admin");
    patch(editor.token(), "c", "{'cronConfig':{'cronspec':'0 4 * * *'}}").statusCode(200);
    get(repository, "c").body("principal", equalTo(TestDatabase.ADMIN_EMAIL));
  }

  @Test
  void an_editor_pauses_and_deletes_it_and_neither_resumes_nor_recreates_it() {
    subscribe(repository, sprite("s", ADMIN_SCOPES)).statusCode(201);
    as(editor.token()).post(sub("s") + "/pause").then().statusCode(200);
    forbidden(as(editor.token()).post(sub("s") + "/resume").then(), "repo:admin");
    get(repository, "s").body("active", equalTo(false));
    patch(editor.token(), "s", "{'filterJson':{'operation':'add'}}").statusCode(200);
    get(repository, "s").body("principal", equalTo(TestDatabase.ADMIN_EMAIL));
    as(editor.token()).delete(sub("s")).then().statusCode(200);
    forbidden(create(editor.token(), sprite("s", ADMIN_SCOPES)), "repo:admin");
  }

  @ParameterizedTest
  @ValueSource(strings = {"'repo:write'", "'repo:configure'", "'repo:write','repo:configure'"})
  void a_token_that_does_not_read_makes_and_changes_none(String permissions) {
    var token = pat(repository, permissions);
    forbidden(create(token, webhook("w")), "repo:read");
    forbidden(create(token, sprite("s", "")), "repo:read");
    forbidden(create(token, cron("c", "0 5 * * *", "")), "repo:read");
    subscribe(repository, webhook("w")).statusCode(201);
    for (var change :
        new String[] {
          "{'webhookUrl':'http://127.0.0.1:8/'}", "{'filterJson':{}}", "{'shapeName':'Sensor'}"
        }) {
      forbidden(patch(token, "w", change), "repo:read");
    }
    forbidden(as(token).post(sub("w") + "/resume").then(), "repo:read");
    forbidden(bind(repository, token, "w"), "repo:read");
    forbidden(as(token).delete(sub("w") + "/bind").then(), "repo:read");
    forbidden(patch(token, "none", "{'filterJson':{}}"), "repo:read");
    as(token).post(sub("w") + "/pause").then().statusCode(200);
    as(token).delete(sub("w")).then().statusCode(200);
    create(pat(repository, permissions + ",'repo:read'"), webhook("w")).statusCode(201);
  }

  @Test
  void on_a_public_repository_a_token_is_bound_by_its_own_entry_too() {
    admin().body(Map.of("visibility", "public")).patch(repository).then().statusCode(200);
    forbidden(create(pat(repository, "'repo:write'"), webhook("w")), "repo:read");
  }

  @Test
  void an_owners_token_changes_nothing_that_acts_beyond_what_it_carries() {
    subscribe(repository, sprite("s", ADMIN_SCOPES)).statusCode(201);
    var token = pat(repository, "'repo:read','repo:write','repo:configure'");
    forbidden(patch(token, "s", "{'spriteConfig':{'command':'env'}}"), "repo:admin");
    forbidden(create(token, sprite("t", ADMIN_SCOPES)), "repo:admin");
    patch(
            pat(repository, "'repo:read','repo:write','repo:admin'"),
            "s",
            "{'spriteConfig':{'command':'env'}}")
        .statusCode(200);
  }

  @Test
  void a_binding_and_what_is_bound_take_the_right_to_configure() {
    subscribe(repository, webhook("w")).statusCode(201);
    put(repository, Api.adminToken(), Map.of("WEBHOOK_BEARER_TOKEN", "abc")).statusCode(200);
    forbidden(bind(repository, editor.token(), "w"), "repo:configure");
    bind(repository, Api.adminToken(), "w").statusCode(200);
    forbidden(patch(editor.token(), "w", "{'webhookUrl':'http://127.0.0.1:8/'}"), "repo:configure");
    forbidden(as(editor.token()).delete(sub("w") + "/bind").then(), "repo:configure");
    as(editor.token()).post(sub("w") + "/pause").then().statusCode(200);
    forbidden(as(editor.token()).post(sub("w") + "/resume").then(), "repo:configure");
    patch(editor.token(), "w", "{'notifyOnSuccess':true}").statusCode(200);
    get(repository, "w")
        .body("webhookUrl", equalTo(Subs.URL))
        .body("credentialSetName", equalTo("set"));
  }

  @Test
  void a_binding_of_a_sprite_takes_what_its_tokens_carry() {
    subscribe(repository, sprite("s", ADMIN_SCOPES)).statusCode(201);
    put(repository, Api.adminToken(), Map.of("API_KEY", "abc")).statusCode(200);
    var token = pat(repository, "'repo:read','repo:write','repo:configure'");
    forbidden(bind(repository, token, "s"), "repo:admin");
    bind(repository, Api.adminToken(), "s").statusCode(200);
    forbidden(as(token).delete(sub("s") + "/bind").then(), "repo:admin");
  }

  /** As in the tests above, over the other transport. */
  @Test
  void the_tools_of_agents_take_the_same_rights() {
    subscribe(repository, sprite("s", ADMIN_SCOPES)).statusCode(201);
    put(repository, Api.adminToken(), Map.of("API_KEY", "abc")).statusCode(200);
    var command = Map.of("command", "env");
    forbiddenTool(
        editor.token(), "subscription_update", Map.of("name", "s", "spriteConfig", command));
    forbiddenTool(
        editor.token(), "subscription_bind", Map.of("name", "s", "credentialSetName", "set"));
    Subs.post(repository, "s", "pause").statusCode(200);
    forbiddenTool(editor.token(), "subscription_resume", Map.of("name", "s"));
    forbiddenTool(
        pat(repository, "'repo:write','repo:configure'"),
        "subscription_create",
        Map.of(
            "name",
            "w",
            "kind",
            "webhook",
            "shapeName",
            "Sensor",
            "filterJson",
            Map.of(),
            "webhookUrl",
            Subs.URL));
    get(repository, "s")
        .body("spriteConfig.command", equalTo("cat"))
        .body("active", equalTo(false));
    get(repository, "w").statusCode(404);
  }

  private void forbiddenTool(String token, String tool, Map<String, Object> given) {
    Subs.callTool(Mcp.of(Mcp.NEW, token), repository, tool, given)
        .body("result.isError", equalTo(true))
        .body("result.structuredContent.code", equalTo("FORBIDDEN"));
  }

  @Test
  void all_that_is_missing_is_named() {
    subscribe(repository, sprite("s", ADMIN_SCOPES)).statusCode(201);
    put(repository, Api.adminToken(), Map.of("API_KEY", "abc")).statusCode(200);
    bind(repository, Api.adminToken(), "s").statusCode(200);
    patch(editor.token(), "s", "{'spriteConfig':{'command':'env'}}")
        .statusCode(403)
        .body("detail", allOf(containsString("repo:configure"), containsString("repo:admin")))
        .body("detail", not(containsString("repo:read")));
  }

  @Test
  void the_caller_that_changes_what_it_does_is_its_principal() {
    var other = People.member(named(repository).split("/", -1)[0], "admin");
    subscribe(repository, webhook("w")).body("principal", equalTo(TestDatabase.ADMIN_EMAIL));
    patch(editor.token(), "w", "{'filterJson':{'operation':'add'}}")
        .body("principal", equalTo(TestDatabase.ADMIN_EMAIL));
    patch(editor.token(), "w", "{'webhookUrl':'http://127.0.0.1:8/'}")
        .body("principal", equalTo(editor.email()));
    put(repository, other.token(), Map.of("WEBHOOK_BEARER_TOKEN", "abc")).statusCode(200);
    bind(repository, other.token(), "w").statusCode(200);
    get(repository, "w").body("principal", equalTo(other.email()));
    admin().delete(sub("w") + "/bind").then().statusCode(200);
    get(repository, "w").body("principal", equalTo(TestDatabase.ADMIN_EMAIL));
    as(editor.token()).post(sub("w") + "/resume").then().statusCode(200);
    get(repository, "w").body("principal", equalTo(TestDatabase.ADMIN_EMAIL));
    as(editor.token()).post(sub("w") + "/pause").then().statusCode(200);
    get(repository, "w").body("principal", equalTo(TestDatabase.ADMIN_EMAIL));
    as(editor.token()).post(sub("w") + "/resume").then().statusCode(200);
    get(repository, "w").body("principal", equalTo(editor.email()));
    var viewer = People.member(named(repository).split("/", -1)[0], "viewer");
    as(viewer.token()).get(sub("w")).then().statusCode(200).body("", not(hasKey("principal")));
  }

  @Test
  void a_retry_takes_the_right_to_configure_and_makes_nobody_the_principal() {
    subscribe(repository, webhook("w")).statusCode(201);
    var other = People.member(named(repository).split("/", -1)[0], "admin");
    var body = Map.of("since", 0);
    as(editor.token()).body(body).post(sub("w") + "/recover").then().statusCode(403);
    as(other.token()).body(body).post(sub("w") + "/recover").then().statusCode(200);
    get(repository, "w").body("principal", equalTo(TestDatabase.ADMIN_EMAIL));
  }

  @Test
  void only_a_caller_that_may_read_changes_where_notifications_are_sent() {
    var body = Map.of("settings", Map.of("notifications", Map.of("webhookUrl", Subs.URL)));
    var token = pat(repository, "'repo:configure'");
    forbidden(as(token).body(body).patch(repository).then(), "repo:read");
    as(token)
        .body(Map.of("settings", Map.of("streams", Map.of("enabled", true))))
        .patch(repository)
        .then()
        .statusCode(200);
    as(pat(repository, "'repo:configure','repo:read'"))
        .body(body)
        .patch(repository)
        .then()
        .statusCode(200);
  }
}
