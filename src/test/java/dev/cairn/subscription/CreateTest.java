package dev.cairn.subscription;

import static dev.cairn.Api.admin;
import static dev.cairn.subscription.Subs.cron;
import static dev.cairn.subscription.Subs.get;
import static dev.cairn.subscription.Subs.named;
import static dev.cairn.subscription.Subs.sprite;
import static dev.cairn.subscription.Subs.subscribe;
import static dev.cairn.subscription.Subs.webhook;
import static org.hamcrest.Matchers.anEmptyMap;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code docs/subscriptions.md}, Creating a subscription. */
@HttpTest
@QuarkusTest
class CreateTest {
  private String repository;

  @BeforeEach
  void makeRepository() {
    repository = Subs.repository();
  }

  @Test
  void a_webhook_subscription_is_made_with_its_defaults() {
    subscribe(repository, webhook("on-sensor"))
        .statusCode(201)
        .header("Location", endsWith(repository + "/subs/on-sensor"))
        .body("name", equalTo("on-sensor"))
        .body("kind", equalTo("webhook"))
        .body("active", equalTo(true))
        .body("shapeName", equalTo("Sensor"))
        .body("filterJson", anEmptyMap())
        .body("webhookUrl", equalTo(Subs.URL))
        .body("executorKind", equalTo("webhook"))
        .body("allowTraceReentry", equalTo(false))
        .body("workspacePolicy", equalTo("ignore"))
        .body("notifyOnSuccess", equalTo(false))
        .body("createdAt", greaterThan(1_600_000_000_000L))
        .body("", not(hasKey("cronConfig")))
        .body("", not(hasKey("sourceRepo")))
        .body("", not(hasKey("tokenScopes")));
  }

  @Test
  void a_sprite_subscription_is_made() {
    subscribe(
            repository,
            "{'name':'s','kind':'sprite','shapeName':'Sensor','filterJson':{'operation':'add'},"
                + "'spriteConfig':{'command':'make','inputMode':'json-file','gitRepo':'o/r',"
                + "'ref':'main','inputPath':'in/input.json','spritePool':'pool',"
                + "'tokenTtlMinutes':60},'tokenScopes':[{'permissions':['repo:write'],"
                + "'allowedMatches':['Sensor/**']},{'permissions':['repo:read']}]}")
        .statusCode(201)
        .body("executorKind", equalTo("sprite"))
        .body("filterJson.operation", equalTo("add"))
        .body("actionContainer", equalTo("cairn-o-r"))
        .body("actionContainerConfig.command", equalTo("make"))
        .body("actionContainerConfig.gitRepo", equalTo("o/r"))
        .body("actionContainerConfig.ref", equalTo("main"))
        .body("actionContainerConfig.inputMode", equalTo("json-file"))
        .body("spriteConfig.tokenTtlMinutes", equalTo(60))
        .body("spriteConfig.spritePool", equalTo("pool"))
        .body("tokenScopes", hasSize(2))
        .body("tokenScopes[0].allowedMatches", contains("Sensor/**"));
  }

  @Test
  void a_cron_subscription_is_made_for_utc_unless_it_says_otherwise() {
    subscribe(repository, cron("c", "0 3 * * *", ""))
        .statusCode(201)
        .body("kind", equalTo("cron"))
        .body("executorKind", equalTo("webhook"))
        .body("cronConfig.cronspec", equalTo("0 3 * * *"))
        .body("cronConfig.timezone", equalTo("UTC"))
        .body("", not(hasKey("shapeName")))
        .body("", not(hasKey("filterJson")));
    subscribe(
            repository,
            "{'name':'d','kind':'cron','executorKind':'sprite',"
                + "'spriteConfig':{'command':'x','inputMode':'env','spriteName':'Box.1'},"
                + "'cronConfig':{'cronspec':'0 3 * * MON','timezone':'Europe/Berlin'}}")
        .statusCode(201)
        .body("cronConfig.timezone", equalTo("Europe/Berlin"))
        .body("actionContainer", equalTo("box-1"));
  }

  @Test
  void the_aliases_of_members_are_taken() {
    subscribe(
            repository,
            "{'name':'w','kind':'webhook','on':'Sensor','filter':{'kind':'thing'},'url':'%s'}"
                .formatted(Subs.URL))
        .statusCode(201)
        .body("shapeName", equalTo("Sensor"))
        .body("filterJson.kind", equalTo("thing"))
        .body("webhookUrl", equalTo(Subs.URL));
    subscribe(
            repository,
            "{'name':'c','kind':'cron','executor':'webhook','url':'%s','cronConfig':{'cronspec':'0 0 * * *'}}"
                .formatted(Subs.URL))
        .statusCode(201)
        .body("executorKind", equalTo("webhook"));
  }

  @Test
  void further_members_are_kept() {
    subscribe(
            repository,
            webhook(
                "w",
                ",'allowTraceReentry':true,'workspacePolicy':'include','notifyOnSuccess':true,'active':false"))
        .statusCode(201)
        .body("active", equalTo(false))
        .body("allowTraceReentry", equalTo(true))
        .body("workspacePolicy", equalTo("include"))
        .body("notifyOnSuccess", equalTo(true));
  }

  @Test
  void the_container_of_a_command_without_a_clone_is_named_after_the_subscription() {
    subscribe(repository, sprite("a/B.c_" + "x".repeat(70), ""))
        .statusCode(201)
        .body(
            "actionContainer",
            equalTo(
                ("cairn-" + named(repository).replace('/', '-') + "-a-b-c-" + "x".repeat(70))
                    .substring(0, 63)));
  }

  @Test
  void a_name_is_taken_once() {
    subscribe(repository, webhook("w")).statusCode(201);
    subscribe(repository, cron("w", "0 0 * * *", ""))
        .statusCode(409)
        .body("code", equalTo("ALREADY_EXISTS"));
    subscribe(Subs.repository(), webhook("w")).statusCode(201);
  }

  @Test
  void an_archived_repository_takes_none() {
    admin().body("{\"archived\":true}").patch(repository).then().statusCode(200);
    subscribe(repository, webhook("w")).statusCode(409).body("code", equalTo("ARCHIVED"));
  }

  @Test
  void query_parameters_are_refused() {
    admin()
        .body(webhook("w").replace('\'', '"'))
        .post(repository + "/subs?dryRun=true")
        .then()
        .statusCode(400)
        .body("errors[0].pointer", equalTo("?dryRun"));
    get(repository, "w").statusCode(404).body("code", equalTo("NOT_FOUND"));
  }

  @Test
  void an_idempotency_key_is_there_once_and_not_empty() {
    for (var keys :
        List.of(List.of("k1", "k2"), List.of("k1", "k1"), List.of(""), List.of("a b"))) {
      var request = admin().body(webhook("w").replace('\'', '"'));
      keys.forEach(key -> request.header("Idempotency-Key", key));
      request
          .post(repository + "/subs")
          .then()
          .statusCode(400)
          .body("errors[0].pointer", equalTo("?Idempotency-Key"));
    }
    get(repository, "w").statusCode(404);
  }

  @Test
  void the_same_request_again_gets_the_first_answer() {
    var first =
        admin()
            .header("Idempotency-Key", "k1")
            .body(webhook("w").replace('\'', '"'))
            .post(repository + "/subs")
            .then()
            .statusCode(201)
            .extract();
    var again =
        admin()
            .header("Idempotency-Key", "k1")
            .body(webhook("w").replace('\'', '"'))
            .post(repository + "/subs")
            .then()
            .statusCode(201)
            .header("Location", equalTo(first.header("Location")))
            .extract();
    assertEquals(first.body().asString(), again.body().asString());
    admin()
        .header("Idempotency-Key", "k1")
        .body(webhook("v").replace('\'', '"'))
        .post(repository + "/subs")
        .then()
        .statusCode(422)
        .body("code", equalTo("IDEMPOTENCY_MISMATCH"));
    admin().get(repository + "/subs").then().body("name", contains("w"));
  }

  @Test
  void a_key_that_failed_is_free() {
    admin()
        .header("Idempotency-Key", "k2")
        .body(webhook("w", ",'shapeName':'x'").replace('\'', '"'))
        .post(repository + "/subs")
        .then()
        .statusCode(400);
    admin()
        .header("Idempotency-Key", "k2")
        .body(webhook("w").replace('\'', '"'))
        .post(repository + "/subs")
        .then()
        .statusCode(201);
  }
}
