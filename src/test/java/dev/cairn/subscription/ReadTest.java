package dev.cairn.subscription;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static dev.cairn.subscription.Subs.cron;
import static dev.cairn.subscription.Subs.sprite;
import static dev.cairn.subscription.Subs.subscribe;
import static dev.cairn.subscription.Subs.webhook;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Prepared;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code docs/subscriptions.md}, Fields. */
@HttpTest
@QuarkusTest
class ReadTest {
  private String repository;

  @BeforeEach
  void makeSubscriptions() {
    repository = Subs.repository();
    subscribe(repository, webhook("b")).statusCode(201);
    subscribe(repository, sprite("c", ",'tokenScopes':[{'permissions':['repo:read']}]"))
        .statusCode(201);
    subscribe(repository, cron("a", "0 3 * * *", "")).statusCode(201);
  }

  private static Set<String> members(Map<String, ?> item) {
    return item.keySet();
  }

  @Test
  void the_list_shows_some_fields_of_each_by_name() {
    var list =
        admin()
            .get(repository + "/subs")
            .then()
            .statusCode(200)
            .body("name", contains("a", "b", "c"));
    var items = list.extract().jsonPath().<Map<String, Object>>getList("");
    assertEquals(
        Set.of("name", "kind", "active", "webhookUrl", "executorKind", "cronConfig"),
        members(items.get(0)));
    assertEquals(
        Set.of("name", "kind", "active", "shapeName", "webhookUrl"), members(items.get(1)));
    assertEquals(
        Set.of("name", "kind", "active", "shapeName", "executorKind"), members(items.get(2)));
    list.body("[0].executorKind", equalTo("webhook"))
        .body("[0].cronConfig.timezone", equalTo("UTC"))
        .body("[1].webhookUrl", equalTo(Subs.URL))
        .body("[2].executorKind", equalTo("sprite"));
  }

  @Test
  void a_caller_that_may_write_sees_everything_that_was_set() {
    var all =
        Set.of(
            "name",
            "kind",
            "active",
            "shapeName",
            "filterJson",
            "executorKind",
            "spriteConfig",
            "actionContainer",
            "actionContainerConfig",
            "tokenScopes",
            "allowTraceReentry",
            "workspacePolicy",
            "notifyOnSuccess",
            "principal",
            "createdAt",
            "etag");
    assertEquals(all, members(admin().get(repository + "/subs/c").jsonPath().getMap("")));
    var org = Subs.named(repository).split("/", -1)[0];
    var editor = People.member(org, "editor");
    assertEquals(
        all, members(as(editor.token()).get(repository + "/subs/c").jsonPath().getMap("")));
    var configurer =
        People.pat(
            Api.adminToken(),
            "{'resource':'%s','permissions':['repo:read','repo:configure']}"
                .formatted(Subs.named(repository)));
    assertEquals(all, members(as(configurer).get(repository + "/subs/c").jsonPath().getMap("")));
  }

  @Test
  void others_see_neither_the_command_nor_the_path_of_a_url() {
    var fields =
        Set.of(
            "name",
            "kind",
            "active",
            "shapeName",
            "filterJson",
            "executorKind",
            "actionContainer",
            "actionContainerConfig",
            "tokenScopes",
            "allowTraceReentry",
            "workspacePolicy",
            "createdAt",
            "etag");
    var reader =
        People.pat(
            Api.adminToken(),
            "{'resource':'%s','permissions':['repo:read']}".formatted(Subs.named(repository)));
    for (var request : List.of(anonymous(), as(reader))) {
      var single = request.get(repository + "/subs/c").then().statusCode(200);
      assertEquals(fields, members(single.extract().jsonPath().getMap("")));
      assertEquals(
          Set.of("inputMode"),
          members(single.extract().jsonPath().getMap("actionContainerConfig")));
    }
    anonymous()
        .get(repository + "/subs/b")
        .then()
        .body("webhookUrl", equalTo("http://127.0.0.1:9/…"));
    anonymous()
        .get(repository + "/subs")
        .then()
        .body("[1].webhookUrl", equalTo("http://127.0.0.1:9/…"));
  }

  @Test
  void an_unknown_name_is_not_found() {
    admin().get(repository + "/subs/x").then().statusCode(404).body("code", equalTo("NOT_FOUND"));
  }

  @Test
  void a_narrowed_token_neither_reads_nor_changes_subscriptions() {
    var reader = People.narrowedPat(repository, "repo:read", "Sensor/**");
    as(reader).get(repository + "/subs").then().statusCode(403);
    as(reader).get(repository + "/subs/b").then().statusCode(403);
    var writer = People.narrowedPat(repository, "repo:write", "Sensor/**");
    as(writer)
        .body(webhook("x").replace('\'', '"'))
        .post(repository + "/subs")
        .then()
        .statusCode(403);
    as(writer).body("{}").patch(repository + "/subs/b").then().statusCode(403);
    as(writer).post(repository + "/subs/b/pause").then().statusCode(403);
    as(writer).delete(repository + "/subs/b").then().statusCode(403);
    String halfNarrowed =
        admin()
            .body(
                ("{'name':'%2$s','structured':true,'scopes':["
                        + "{'resource':'%1$s','permissions':['repo:write']},"
                        + "{'resource':'%1$s','permissions':['repo:read'],"
                        + "'allowedMatches':['Sensor/a']}]}")
                    .formatted(Subs.named(repository), Api.unique("pat"))
                    .replace('\'', '"'))
            .post("/api/pats")
            .then()
            .statusCode(201)
            .extract()
            .path("token");
    as(halfNarrowed).body("{}").patch(repository + "/subs/b").then().statusCode(403);
  }

  @Test
  void the_tag_of_an_answer_changes_with_it() {
    var first = anonymous().get(repository + "/subs").then().statusCode(200).extract();
    var tag = first.header("ETag");
    anonymous().header("If-None-Match", tag).get(repository + "/subs").then().statusCode(304);
    Subs.post(repository, "a", "pause").statusCode(200);
    var second =
        anonymous().header("If-None-Match", tag).get(repository + "/subs").then().statusCode(200);
    assertNotEquals(tag, second.extract().header("ETag"));
    var single = anonymous().get(repository + "/subs/b").header("ETag");
    Prepared.commit(repository, "{'operation':'add','name':'Sensor/a','data':{}}");
    anonymous().header("If-None-Match", single).get(repository + "/subs/b").then().statusCode(304);
    anonymous()
        .header("If-None-Match", single)
        .get(repository + "/subs/c")
        .then()
        .statusCode(200)
        .header("ETag", not(equalTo(single)));
  }

  @Test
  void query_parameters_are_refused() {
    admin().get(repository + "/subs?limit=1").then().statusCode(400);
    admin().get(repository + "/subs/b?x=1").then().statusCode(400);
  }
}
