package dev.cairn.subscription;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static dev.cairn.subscription.Subs.bind;
import static dev.cairn.subscription.Subs.forbidden;
import static dev.cairn.subscription.Subs.get;
import static dev.cairn.subscription.Subs.named;
import static dev.cairn.subscription.Subs.pat;
import static dev.cairn.subscription.Subs.put;
import static dev.cairn.subscription.Subs.sprite;
import static dev.cairn.subscription.Subs.subscribe;
import static dev.cairn.subscription.Subs.webhook;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.TestDatabase;
import dev.cairn.mcp.Mcp;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code docs/subscriptions.md}, Binding: secrets go only to where the binder saw them go. */
@HttpTest
@QuarkusTest
class SafeBindingTest {
  private static final String BOUND = ",'credentialSetName':'set'";
  private static final String EVIL = "http://127.0.0.1:8/evil";

  private String repository;
  private People.Person editor;

  @BeforeEach
  void makeSet() {
    repository = Subs.privateRepository();
    editor = People.member(named(repository).split("/", -1)[0], "editor");
    put(repository, Api.adminToken(), Map.of("API_KEY", "k")).statusCode(200);
  }

  private String sub(String name) {
    return repository + "/subs/" + name;
  }

  private String etag() {
    return admin().get(sub("w")).then().statusCode(200).extract().header("ETag");
  }

  /** What an editor's program does between two requests of an admin. */
  private void turn() {
    as(editor.token()).body(Map.of("webhookUrl", EVIL)).patch(sub("w")).then().statusCode(200);
  }

  private void makeAnew() {
    var body = webhook("w").replace('\'', '"');
    as(editor.token()).delete(sub("w")).then().statusCode(200);
    as(editor.token()).body(body).post(repository + "/subs").then().statusCode(201);
  }

  private RequestSpecification upon(String tag) {
    return admin().header("If-Match", tag);
  }

  private static void failed(ValidatableResponse answer) {
    answer.statusCode(412).body("code", equalTo("PRECONDITION_FAILED"));
  }

  @Test
  void a_subscription_is_created_with_its_binding() {
    subscribe(repository, webhook("w", BOUND))
        .statusCode(201)
        .body("credentialSetName", equalTo("set"))
        .body("webhookUrl", equalTo(Subs.URL))
        .body("principal", equalTo(TestDatabase.ADMIN_EMAIL));
    get(repository, "w").body("credentialSetName", equalTo("set"));
    var refused = as(editor.token()).body(Map.of("webhookUrl", EVIL)).patch(sub("w")).then();
    forbidden(refused, "repo:configure");
    admin()
        .get("/api/orgs/" + named(repository).split("/", -1)[0] + "/audit")
        .then()
        .body("items.action", hasItems("subscription.created", "subscription.bound"));
  }

  @Test
  void that_requires_to_configure_the_repository() {
    var body = webhook("w", BOUND).replace('\'', '"');
    for (var token : new String[] {editor.token(), pat(repository, "'repo:read','repo:write'")}) {
      var refused = as(token).body(body).post(repository + "/subs").then();
      forbidden(refused, "repo:configure");
    }
    admin().get(repository + "/subs").then().body("", hasSize(0));
  }

  @Test
  void a_set_that_may_not_be_bound_creates_no_subscription() {
    subscribe(repository, webhook("w", ",'credentialSetName':'none'"))
        .statusCode(404)
        .body("code", equalTo("NOT_FOUND"))
        .body("errors[0].pointer", equalTo("/credentialSetName"));
    subscribe(repository, webhook("w", ",'credentialSetName':7")).statusCode(400);
    put(repository, Api.adminToken(), Map.of("PATH", "/evil")).statusCode(200);
    subscribe(repository, sprite("s", BOUND))
        .statusCode(400)
        .body("errors[0].pointer", equalTo("/credentialSetName"));
    admin().post(repository + "/credential-sets/set/revoke").then().statusCode(200);
    subscribe(repository, webhook("w", BOUND))
        .statusCode(409)
        .body("details.reason", equalTo("credential_set_revoked"));
    admin().get(repository + "/subs").then().body("", hasSize(0));
  }

  @Test
  void a_binding_shows_where_the_secrets_go() {
    subscribe(repository, webhook("w")).statusCode(201);
    bind(repository, Api.adminToken(), "w")
        .statusCode(200)
        .body("subscription.name", equalTo("w"))
        .body("subscription.webhookUrl", equalTo(Subs.URL))
        .body("subscription.etag", equalTo(etag()));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nothing_is_done_to_a_subscription_that_was_changed_or_created_again(boolean isAnew) {
    subscribe(repository, webhook("w")).statusCode(201);
    var tag = etag();
    if (isAnew) {
      makeAnew();
    } else {
      turn();
    }
    var before = etag();
    var set = Map.of("credentialSetName", "set");
    failed(upon(tag).body(set).post(sub("w") + "/bind").then());
    failed(upon(tag).delete(sub("w") + "/bind").then());
    failed(upon(tag).post(sub("w") + "/resume").then());
    failed(upon(tag).body(Map.of("webhookUrl", Subs.URL)).patch(sub("w")).then());
    failed(upon(tag).delete(sub("w")).then());
    assertEquals(before, etag());
    get(repository, "w").body("principal", equalTo(editor.email()));
  }

  @Test
  void upon_the_present_state_everything_is_done() {
    var made = subscribe(repository, webhook("w")).statusCode(201).extract();
    assertEquals(made.path("etag"), etag());
    var set = Map.of("credentialSetName", "set");
    upon(etag()).body(set).post(sub("w") + "/bind").then().statusCode(200);
    upon("\"x\", " + etag())
        .body(Map.of("webhookUrl", EVIL))
        .patch(sub("w"))
        .then()
        .statusCode(200)
        .body("etag", equalTo(etag()));
    upon(etag()).delete(sub("w") + "/bind").then().statusCode(200);
    admin().post(sub("w") + "/pause").then().statusCode(200);
    upon(etag()).post(sub("w") + "/resume").then().statusCode(200);
    upon("*").delete(sub("w")).then().statusCode(200);
  }

  /** The same name, maker, members and time of creation are not the same subscription. */
  @Test
  void the_tag_is_of_one_subscription_and_not_of_its_name() {
    subscribe(repository, webhook("w")).statusCode(201);
    var tag = etag();
    OwnConnections.database()
        .update(
            """
            update subscription set id = gen_random_uuid() where repo_id = (
              select r.id from repository r join organization o on o.id = r.org_id
              where o.name || '/' || r.name = ?)
            """,
            named(repository));
    admin().get(sub("w")).then().header("ETag", not(equalTo(tag)));
  }

  @Test
  void rights_are_checked_first() {
    subscribe(repository, webhook("w")).statusCode(201);
    var set = Map.of("credentialSetName", "set");
    var editors = as(editor.token()).header("If-Match", "\"x\"").body(set);
    forbidden(editors.post(sub("w") + "/bind").then(), "repo:configure");
  }

  @Test
  void a_client_that_has_the_state_gets_304() {
    subscribe(repository, webhook("w")).statusCode(201);
    var tag = etag();
    admin()
        .header("If-None-Match", tag)
        .get(sub("w"))
        .then()
        .statusCode(304)
        .header("ETag", equalTo(tag))
        .header("Cache-Control", equalTo("private, no-cache"));
  }

  @Test
  void the_tools_of_mcp_do_the_same() {
    var client = Mcp.of(Mcp.OLD, Api.adminToken());
    var names = named(repository).split("/", -1);
    var create =
        Map.of(
            "org",
            names[0],
            "repo",
            names[1],
            "name",
            "bound",
            "kind",
            "webhook",
            "shapeName",
            "Sensor",
            "filterJson",
            Map.of(),
            "webhookUrl",
            Subs.URL,
            "credentialSetName",
            "set");
    client.call("subscription_create", create).body("result.isError", not(equalTo(true)));
    get(repository, "bound").body("credentialSetName", equalTo("set"));

    subscribe(repository, webhook("w")).statusCode(201);
    var tag = etag();
    turn();
    assertEquals(true, bindByTool(client, names, tag).extract().path("result.isError"));
    get(repository, "w").body("principal", equalTo(editor.email()));
    bindByTool(client, names, etag()).body("result.isError", not(equalTo(true)));
    get(repository, "w").body("credentialSetName", equalTo("set"));
  }

  private static ValidatableResponse bindByTool(Mcp client, String[] names, String tag) {
    var arguments =
        Map.of(
            "org",
            names[0],
            "repo",
            names[1],
            "name",
            "w",
            "credentialSetName",
            "set",
            "ifMatch",
            tag);
    return client.call("subscription_bind", arguments).statusCode(200);
  }
}
