package dev.cairn.subscription;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static dev.cairn.subscription.Subs.get;
import static dev.cairn.subscription.Subs.named;
import static dev.cairn.subscription.Subs.sprite;
import static dev.cairn.subscription.Subs.subscribe;
import static dev.cairn.subscription.Subs.webhook;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.not;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.TestDatabase;
import dev.cairn.access.token.InstalledComponent;
import dev.cairn.access.token.Sprites;
import dev.cairn.mcp.Mcp;
import dev.cairn.oauth.Flow;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code docs/subscriptions.md}, Principal: tokens that a subscription would outlive. */
@HttpTest
@QuarkusTest
class DelegatedTokenTest {
  private static final String EVERYTHING =
      "[{'permissions':['repo:read','repo:write','repo:configure','repo:admin']}]";
  private static final String READS = ",'tokenScopes':[{'permissions':['repo:read']}]";
  private static final Map<String, Object> NOTIFICATIONS =
      Map.of("notifications", Map.of("webhookUrl", Subs.URL));

  private String repository;

  /** A paused sprite with a credential set, and a webhook and a schedule without one. */
  @BeforeEach
  void makeSubscriptions() {
    repository = Subs.privateRepository();
    subscribe(repository, sprite("s", "")).statusCode(201);
    subscribe(repository, webhook("w")).statusCode(201);
    subscribe(repository, Subs.cron("c", "0 0 * * *", "")).statusCode(201);
    put(Api.adminToken(), "API_KEY").statusCode(200);
    bind(Api.adminToken(), "s").statusCode(200);
    admin().post(sub("s") + "/pause").then().statusCode(200);
  }

  private String sub(String name) {
    return repository + "/subs/" + name;
  }

  private ValidatableResponse create(String token, String body) {
    return as(token).body(body.replace('\'', '"')).post(repository + "/subs").then();
  }

  private ValidatableResponse patch(String token, String name, String body) {
    return as(token).body(body.replace('\'', '"')).patch(sub(name)).then();
  }

  private ValidatableResponse bind(String token, String name) {
    return as(token).body(Map.of("credentialSetName", "set")).post(sub(name) + "/bind").then();
  }

  private ValidatableResponse put(String token, String key) {
    return as(token)
        .body(Map.of("keys", Map.of(key, "value")))
        .put(repository + "/credential-sets/set")
        .then();
  }

  private String spriteToken() {
    return new Sprites(repository).token(TestDatabase.ADMIN_EMAIL, EVERYTHING).orElseThrow();
  }

  private void assertSetsUpNothingLasting(String token) {
    for (var answer :
        List.of(
            create(token, Subs.cron("again", "* * * * *", READS)),
            create(token, webhook("again")),
            create(token, sprite("again", READS)),
            patch(token, "s", "{'spriteConfig':{'command':'env'}}"),
            patch(token, "w", "{'webhookUrl':'http://127.0.0.1:8/'}"),
            patch(token, "w", "{'allowTraceReentry':true}"),
            patch(token, "c", "{'cronConfig':{'cronspec':'*/5 * * * *'}}"),
            as(token).post(sub("s") + "/resume").then(),
            bind(token, "w"),
            as(token).delete(sub("s") + "/bind").then(),
            put(token, "NODE_OPTIONS"),
            put(token, "API_KEY"),
            as(token).body(Map.of("settings", NOTIFICATIONS)).patch(repository).then())) {
      answer
          .statusCode(403)
          .body("code", equalTo("FORBIDDEN"))
          .body("detail", containsString("after the token has ended"))
          .body("hint", containsString("personal access token"));
    }
    assertNothingChanged();
    var unbound = repository + "/credential-sets/unbound";
    admin().body(Map.of()).put(unbound).then().statusCode(200);
    as(token).body(Map.of("description", "changed")).put(unbound).then().statusCode(200);
    patch(token, "w", "{'filterJson':{'operation':'add'}}")
        .statusCode(200)
        .body("principal", equalTo(TestDatabase.ADMIN_EMAIL));
    as(token).post(sub("w") + "/pause").then().statusCode(200);
    as(token).delete(sub("w")).then().statusCode(200);
  }

  private void assertNothingChanged() {
    admin()
        .get(repository + "/subs")
        .then()
        .statusCode(200)
        .body("items.name", not(hasItem("again")));
    get(repository, "s")
        .body("principal", equalTo(TestDatabase.ADMIN_EMAIL))
        .body("active", equalTo(false))
        .body("credentialSetName", equalTo("set"));
    get(repository, "w")
        .body("webhookUrl", equalTo(Subs.URL))
        .body("allowTraceReentry", equalTo(false));
    get(repository, "c").body("cronConfig.cronspec", equalTo("0 0 * * *"));
  }

  @Test
  void a_sprites_token_sets_up_nothing_that_goes_on_after_it() {
    assertSetsUpNothingLasting(spriteToken());
  }

  @Test
  void a_component_token_sets_up_nothing_that_outlives_it() {
    var component = new InstalledComponent(repository);
    var token = component.token(TestDatabase.ADMIN_EMAIL);
    component.scopes(token, EVERYTHING);
    assertSetsUpNothingLasting(token);
  }

  @Test
  void a_delegated_token_sets_up_nothing_that_outlives_it() {
    assertSetsUpNothingLasting(ownersProgram());
  }

  /** The token of an OAuth client that acts for an owner of the organization. */
  private String ownersProgram() {
    var email = Flow.newAccount();
    admin()
        .body(Map.of("role", "owner"))
        .put("/api/orgs/" + named(repository).split("/", -1)[0] + "/members/" + email)
        .then()
        .statusCode(200);
    return Flow.programToken(email);
  }

  @Test
  void a_programs_token_gives_a_sprite_no_variable_by_the_organizations_set() {
    var program = ownersProgram();
    var set = repository + "/credential-sets/set";
    var organizations = "/api/orgs/" + named(repository).split("/", -1)[0] + "/credential-sets/set";
    var keys = Map.of("keys", Map.of("NODE_OPTIONS", "value"));
    var delegated = containsString("after the token has ended");
    as(program).body(keys).put(organizations).then().statusCode(403).body("detail", delegated);
    admin().body(keys).put(organizations).then().statusCode(200);
    as(program).delete(set).then().statusCode(403);
    admin().delete(set).then().statusCode(200);
    as(program).body(Map.of()).put(set).then().statusCode(403).body("detail", delegated);
    admin().get(set).then().statusCode(404);
  }

  @Test
  void a_programs_token_changes_no_key_of_a_set_that_no_sprite_is_bound_to_yet() {
    var program = ownersProgram();
    var set = repository + "/credential-sets/unbound";
    admin().body(Map.of("keys", Map.of("API_KEY", "value"))).put(set).then().statusCode(200);
    var removed = new HashMap<String, String>();
    removed.put("API_KEY", null);
    for (var keys : List.of(Map.of("API_KEY", "other"), Map.of("HTTPS_PROXY", "x"), removed)) {
      as(program)
          .body(Map.of("keys", keys))
          .put(set)
          .then()
          .statusCode(403)
          .body("detail", containsString("set or remove keys"));
    }
    as(program)
        .delete(set)
        .then()
        .statusCode(403)
        .body("detail", containsString("delete a credential set"));
    admin().get(set).then().body("keyNames", equalTo(List.of("API_KEY")));
    as(program).post(set + "/revoke").then().statusCode(200);
  }

  @Test
  void a_delegated_token_creates_no_set_even_if_the_name_exists_elsewhere() {
    var program = ownersProgram();
    var keys = Map.of("keys", Map.of("API_KEY", "value"));
    var organizations = "/api/orgs/" + named(repository).split("/", -1)[0] + "/credential-sets/all";
    var set = repository + "/credential-sets/all";
    assertCannotCreate(program, set);
    admin().body(keys).put(organizations).then().statusCode(200);
    assertCannotCreate(program, set);
    admin().post(organizations + "/revoke").then().statusCode(200);
    assertCannotCreate(program, set);
    admin().get(set).then().statusCode(404);
    admin().body(keys).put(set).then().statusCode(200);
  }

  private static void assertCannotCreate(String token, String set) {
    as(token)
        .body(Map.of("keys", Map.of("API_KEY", "value")))
        .put(set)
        .then()
        .statusCode(403)
        .body("detail", containsString("create a credential set"));
  }

  @Test
  void the_tools_of_mcp_refuse_it_in_the_same_way() {
    var token = spriteToken();
    for (var tool :
        Map.<String, Map<String, Object>>of(
                "subscription_create",
                Map.of(
                    "name",
                    "again",
                    "kind",
                    "webhook",
                    "shapeName",
                    "Sensor",
                    "filterJson",
                    Map.of(),
                    "webhookUrl",
                    Subs.URL),
                "subscription_update",
                Map.of("name", "w", "webhookUrl", "http://127.0.0.1:8/"),
                "subscription_resume",
                Map.of("name", "s"),
                "subscription_bind",
                Map.of("name", "w", "credentialSetName", "set"),
                "subscription_unbind",
                Map.of("name", "s"),
                "credential_set_put",
                Map.of("name", "set", "keys", Map.of("NODE_OPTIONS", "x")),
                "repo_update",
                Map.of("settings", NOTIFICATIONS))
            .entrySet()) {
      callTool(token, tool.getKey(), tool.getValue())
          .body("result.isError", equalTo(true))
          .body("result.content[0].text", containsString("after the token has ended"));
    }
    assertNothingChanged();
  }

  private ValidatableResponse callTool(String token, String name, Map<String, Object> given) {
    return Subs.callTool(Mcp.of(Mcp.OLD, token), repository, name, given);
  }

  @Test
  void a_personal_access_token_may_and_the_subscription_shows_its_principal() {
    var token =
        People.pat(
            Api.adminToken(),
            "{'resource':'%s','permissions':['repo:read','repo:write']}"
                .formatted(named(repository)));
    create(token, sprite("again", READS))
        .statusCode(201)
        .body("principal", equalTo(TestDatabase.ADMIN_EMAIL));
  }
}
