package dev.cairn.component;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.action.Receiver;
import dev.cairn.docs.PageExample;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code docs/components.md}, Methods. */
@HttpTest
@QuarkusTest
class MethodCallTest {
  private final Receiver receiver = new Receiver();
  private CalledComponent component;

  @BeforeEach
  void install() {
    component = new CalledComponent().installed().configured(receiver.url("/base/"));
  }

  @AfterEach
  void close() {
    receiver.close();
  }

  private void assertRefused(String method, int status, String reason) {
    component.call(method, "{}").statusCode(status).body("details.reason", is(reason));
    assertEquals(0, receiver.calls().size());
  }

  @Test
  void a_post_has_the_arguments_and_who_calls() throws Exception {
    receiver.answering(200, "{\"found\":true}");
    component
        .call("find", "{'text':'a','number':1.5,'flag':false,'wref':'Note/a','list':[1],'any':{}}")
        .statusCode(200)
        .body("status", is(200))
        .body("body.found", is(true))
        .body("", not(hasKey("truncated")));
    var call = receiver.only();
    assertEquals("/base/find", call.path());
    assertEquals(component.installId, call.header("X-Cairn-Install"));
    new Webhook(CalledComponent.SECRET).verify(call.text(), CalledComponent.headers(call));
    assertThrows(
        WebhookVerificationException.class,
        () ->
            new Webhook(CalledComponent.OTHER_SECRET)
                .verify(call.text(), CalledComponent.headers(call)));
    assertEquals("cairn.component.cli", call.json().path("type").textValue());
    var data = call.json().path("data");
    assertEquals("caller", data.at("/component/name").textValue());
    assertEquals("1.0.0", data.at("/component/version").textValue());
    assertEquals(component.owner, data.at("/component/org").textValue());
    assertEquals(component.installId, data.path("installId").textValue());
    assertEquals(component.org(), data.at("/repo/orgName").textValue());
    assertEquals("find", data.path("method").textValue());
    assertEquals(receiver.url("/base/find"), data.path("url").textValue());
    assertTrue(data.at("/caller/displayName").isTextual());
    assertEquals(36, data.at("/caller/accountId").textValue().length());
    assertEquals(
        Manifests.json(
            "{'text':'a','number':1.5,'flag':false,'wref':'Note/a','list':[1],'any':{}}"),
        data.path("args"));
  }

  @Test
  void the_page_shows_the_body_of_a_post() throws Exception {
    component.call("find", "{'text':'north'}").statusCode(200);
    PageExample.assertShows(
        "docs/components.md, Methods",
        receiver.only().json(),
        "/timestamp",
        "/data/component/org",
        "/data/component/name",
        "/data/component/version",
        "/data/installId",
        "/data/repo/orgName",
        "/data/repo/repoName",
        "/data/url",
        "/data/caller/accountId",
        "/data/caller/displayName");
  }

  @Test
  void a_get_has_the_arguments_in_its_url_which_is_signed() throws Exception {
    component
        .call("show", "{'wref':'Note/äb','flag':true,'number':10,'text':'a&b=c +%'}")
        .statusCode(200)
        .body("status", is(200))
        .body("body", nullValue());
    var call = receiver.only();
    assertEquals(
        "/base/show?text=a%26b%3Dc%20%2B%25&number=10&flag=true&wref=Note%2F%C3%A4b", call.path());
    assertEquals(0, call.body().length);
    new Webhook(CalledComponent.SECRET)
        .verify(receiver.url(call.path()), CalledComponent.headers(call));
    assertThrows(
        WebhookVerificationException.class,
        () -> new Webhook(CalledComponent.SECRET).verify("", CalledComponent.headers(call)));
    component.call("show", "{'text':null}").statusCode(200);
    assertEquals("/base/show", receiver.calls().getLast().path());
  }

  @Test
  void the_url_of_a_get_is_bounded() {
    int room = MethodArguments.MAX_URL - receiver.url("/base/show?text=").length();
    component.call("show", "{'text':'%s'}".formatted("x".repeat(room))).statusCode(200);
    component
        .call("show", "{'text':'%s'}".formatted("x".repeat(room + 1)))
        .statusCode(400)
        .body("errors.pointer", contains("/args"));
    assertEquals(1, receiver.calls().size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '|',
      value = {
        "{'text':1}; /args/text",
        "{'number':'1'}; /args/number",
        "{'flag':'true'}; /args/flag",
        "{'wref':'no wref'}; /args/wref",
        "{'wref':'$0'}; /args/wref",
        "{'list':{}}; /args/list",
        "{'colour':'red'}; /args/colour",
        "{'a/b':1}; /args/a~1b"
      })
  void arguments_of_another_type_and_unknown_ones_are_refused(String args, String pointer) {
    component
        .call("find", args)
        .statusCode(400)
        .body("code", is("VALIDATION_ERROR"))
        .body("errors.pointer", contains(pointer));
    assertEquals(0, receiver.calls().size());
  }

  @Test
  void all_violations_are_listed_at_once() {
    component
        .call("needs", "{'more':1,'text':2}")
        .statusCode(400)
        .body("errors.pointer", containsInAnyOrder("/args/more", "/args/text"));
    component
        .call("needs", "{}")
        .statusCode(400)
        .body("errors.pointer", contains("/args/text"))
        .body("detail", containsString("a string"));
    component.call("needs", "null").statusCode(400);
    component.call("find", "null").statusCode(200);
    component.call("find", "[]").statusCode(400).body("errors.pointer", contains("/args"));
  }

  @ParameterizedTest
  @ValueSource(ints = {204, 302, 400, 401, 403, 404, 409, 429, 500, 503})
  void the_answer_of_the_other_side_is_told_from_ours(int status) {
    receiver.answering(
        _ ->
            new Receiver.Reply(
                status, Map.of("Location", receiver.url("/elsewhere"), "X-Theirs", "1")));
    component
        .call("find", "{}")
        .statusCode(200)
        .header("X-Theirs", nullValue())
        .body("status", is(status))
        .body("body", nullValue())
        .body("", not(hasKey("reason")));
    assertEquals(1, receiver.calls().size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '|',
      value = {
        "not JSON; not JSON",
        "{\"a\":1} {; {\"a\":1} {",
        "{\"a\":; {\"a\":",
        "ü \"quoted\"; ü \"quoted\""
      })
  void whatever_is_no_json_is_a_string(String answer, String shown) {
    receiver.answering(200, answer);
    component.call("find", "{}").statusCode(200).body("body", is(shown));
  }

  @Test
  void json_is_passed_on_whatever_it_is() {
    for (var answer : new String[] {"1", "null", "\"text\"", "[[],{}]", " {\"a\": null}\n"}) {
      receiver.answering(500, answer);
      var text = component.call("find", "{}").statusCode(200).extract().asString();
      assertTrue(text.contains("\"body\":" + answer), text);
    }
  }

  @Test
  void a_long_answer_is_cut_off_and_told() {
    receiver.answering(200, "\"" + "x".repeat(MethodCalls.MAX_BODY - 2) + "\"");
    component
        .call("find", "{}")
        .statusCode(200)
        .body("body", is("x".repeat(MethodCalls.MAX_BODY - 2)))
        .body("", not(hasKey("truncated")));
    receiver.answering(200, "\"" + "x".repeat(MethodCalls.MAX_BODY - 1) + "\"");
    component
        .call("find", "{}")
        .statusCode(200)
        .body("status", is(200))
        .body("body", nullValue())
        .body("truncated", is(true));
  }

  @Test
  void it_takes_repo_read_for_the_whole_repository_and_what_the_method_requires() {
    var viewer = component.member("viewer");
    component.call(viewer, "find", "{}").statusCode(200);
    component
        .call(viewer, "change", "{}")
        .statusCode(403)
        .body("detail", containsString("repo:write"));
    component.call(component.member("editor"), "change", "{}").statusCode(200);
    component.call(People.stranger().token(), "find", "{}").statusCode(404);
    component
        .call(People.narrowedPat(component.repository, "repo:read", "Note/**"), "find", "{}")
        .statusCode(403);
    anonymous()
        .body("{}")
        .post(Registry.path(component.owner, CalledComponent.NAME) + "/cli/find")
        .then()
        .statusCode(401);
    assertEquals(2, receiver.calls().size());
  }

  @Test
  void of_a_public_repository_whoever_is_signed_in_may_call_what_requires_nothing() {
    var open = new CalledComponent(Api.newRepository()).installed();
    open.configured(receiver.url(""));
    var stranger = People.stranger().token();
    open.call(stranger, "find", "{}").statusCode(200).body("status", is(200));
    open.call(stranger, "change", "{}").statusCode(403);
    assertEquals(1, receiver.calls().size());
  }

  @Test
  void a_token_that_reads_a_public_repository_like_anybody_calls_no_method_there() {
    var open = new CalledComponent(Api.newRepository()).installed().configured(receiver.url(""));
    var elsewhere = Api.newRepository().substring("/api/repos/".length());
    for (var scope :
        List.of(
            "{'resource':'%s','permissions':['repo:read']}".formatted(elsewhere),
            "{'resource':'%s','permissions':['org:read']}".formatted(open.owner))) {
      open.call(People.pat(Api.adminToken(), scope), "find", "{}").statusCode(403);
    }
    assertEquals(0, receiver.calls().size());
  }

  @Test
  void a_repository_that_the_caller_may_not_read_is_like_none() {
    var stranger = People.stranger().token();
    var hidden = component.call(stranger, "find", "{}").extract().asString();
    var absent =
        as(stranger)
            .body("{\"installRepo\":\"%s/none\",\"args\":{}}".formatted(component.org()))
            .post(Registry.path(component.owner, CalledComponent.NAME) + "/cli/find")
            .asString();
    assertEquals(masked(absent, "none"), masked(hidden, "repo"));
  }

  /** An answer without what differs from one request to the next. */
  private String masked(String answer, String repo) {
    return answer
        .replace(component.org() + "/" + repo, "REPO")
        .replaceAll("(\"traceId\":\")[^\"]*", "$1");
  }

  @Test
  void a_private_component_is_there_for_its_members_only() {
    var outsider = component.member("owner");
    component.call(outsider, "find", "{}").statusCode(200);
    component.register(CalledComponent.manifest(), "{'visibility':'private'}");
    component.call(outsider, "find", "{}").statusCode(404).body("code", is("NOT_FOUND"));
    component.call("find", "{}").statusCode(200);
    assertEquals(2, receiver.calls().size());
  }

  @Test
  void an_unknown_method_is_not_found() {
    component
        .call("none", "{}")
        .statusCode(404)
        .body("code", is("NOT_FOUND"))
        .body("detail", containsString("none"));
  }

  @Test
  void the_methods_are_those_of_the_installed_version() {
    component.register(
        Manifests.set(
            Manifests.without(CalledComponent.manifest(), "/cli"),
            "/component/version",
            Manifests.json("'2.0.0'")),
        "{}");
    component.call("find", "{}").statusCode(200);
    assertEquals("1.0.0", receiver.only().json().at("/data/component/version").textValue());
  }

  @Test
  void it_must_be_installed() {
    component.tearDown();
    assertRefused("find", 409, "not_installed");
    component.interrupted(1);
    assertRefused("find", 409, "not_installed");
  }

  @Test
  void the_methods_stay_those_of_the_complete_version_while_another_is_being_installed() {
    var manifest =
        Manifests.set(CalledComponent.manifest(), "/component/version", Manifests.json("'2.0.0'"));
    component.register(Manifests.without(manifest, "/cli"), "{}");
    component.interrupted(2);
    component.call("find", "{}").statusCode(200);
    assertEquals("1.0.0", receiver.only().json().at("/data/component/version").textValue());
    Prepared.answer(
        200,
        Api.adminToken(),
        "POST",
        component.repository + "/components",
        Map.of("component", component.owner + "/" + CalledComponent.NAME));
    component.call("find", "{}").statusCode(404);
  }

  @Test
  void a_component_that_was_deregistered_is_not_called() {
    admin().delete(Registry.path(component.owner, CalledComponent.NAME)).then().statusCode(200);
    component.call("find", "{}").statusCode(404);
  }

  @Test
  void a_set_that_cannot_sign_sends_nothing() {
    var set = component.repository + "/credential-sets/caller";
    admin()
        .body("{\"keys\":{\"CLI_SIGNING_SECRET\":null,\"OTHER\":\"x\"}}")
        .put(set)
        .then()
        .statusCode(200);
    assertRefused("find", 409, "credentials_unavailable");
    component.set(component.repository, Map.of("CLI_SIGNING_SECRET", CalledComponent.SECRET));
    admin().body("{}").post(set + "/revoke").then().statusCode(200);
    assertRefused("find", 409, "credentials_unavailable");
    admin().delete(set).then().statusCode(200);
    assertRefused("find", 409, "credentials_unavailable");
    component.set(
        "/api/orgs/" + component.org(), Map.of("CLI_SIGNING_SECRET", CalledComponent.SECRET));
    component.call("find", "{}").statusCode(200).body("status", is(200));
  }

  @Test
  void a_set_of_the_organization_that_would_sign_is_changed_only_with_the_right_to_configure() {
    var organization = "/api/orgs/" + component.org();
    var set = organization + "/credential-sets/caller";
    var configures =
        People.pat(
            Api.adminToken(),
            "{'resource':'%s','permissions':['org:configure']}".formatted(component.org()));
    var keys = Map.of("CLI_SIGNING_SECRET", CalledComponent.OTHER_SECRET);
    as(configures).body(Map.of("keys", keys)).put(set).then().statusCode(403);
    component.set(organization, keys);
    as(configures).body(Map.of("keys", keys)).put(set).then().statusCode(403);
    component.tearDown();
    as(configures).body(Map.of("keys", keys)).put(set).then().statusCode(200);
  }

  @Test
  void calls_that_require_a_permission_are_in_the_audit_log() {
    component.call("find", "{}").statusCode(200);
    component.call("change", "{}").statusCode(200);
    var actions =
        admin()
            .get("/api/orgs/" + component.org() + "/audit")
            .then()
            .body("items[0].action", is("component.called"))
            .body("items[0].target", is(component.owner + "/caller"))
            .body("items[0].details.method", is("change"))
            .extract()
            .asString();
    assertFalse(actions.contains("\"find\""), actions);
  }

  @Test
  void the_body_is_bounded_and_strict() {
    var path = Registry.path(component.owner, CalledComponent.NAME) + "/cli/find";
    for (var body : new String[] {"no JSON", "[]", "{}", "{\"installRepo\":1}", "{\"colour\":1}"}) {
      admin().body(body).post(path).then().statusCode(400).body("code", is("VALIDATION_ERROR"));
    }
    component
        .call("find", "{'text':'%s'}".formatted("x".repeat(64 * 1024)))
        .statusCode(413)
        .body("code", is("PAYLOAD_TOO_LARGE"));
    admin().body("{}").post(path + "?colour=red").then().statusCode(400);
    assertEquals(0, receiver.calls().size());
  }

  @Test
  void the_signature_covers_the_bytes_that_are_sent() throws Exception {
    component.call("find", "{'text':'ü\\u2028 \\n'}").statusCode(200);
    var call = receiver.only();
    new Webhook(CalledComponent.SECRET)
        .verify(new String(call.body(), StandardCharsets.UTF_8), CalledComponent.headers(call));
    assertEquals("ü\u2028 \n", call.json().at("/data/args/text").textValue());
    assertEquals("127.0.0.1", URI.create(call.json().at("/data/url").textValue()).getHost());
  }
}
