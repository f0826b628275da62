package dev.cairn.subscription;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
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
import dev.cairn.People;
import dev.cairn.access.Accounts;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code docs/subscriptions.md}, Making. */
@HttpTest
@QuarkusTest
class CreateTest {
  @Inject Accounts accounts;

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
  void what_is_wrong_under_an_alias_is_placed_there() {
    subscribe(
            repository,
            "{'name':'w','kind':'webhook','on':'Sensor','filter':{'x':1},'url':'%s'}"
                .formatted(Subs.URL))
        .statusCode(400)
        .body("code", equalTo("VALIDATION_ERROR"))
        .body("errors[0].pointer", equalTo("/filter/x"));
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}                                                                          | /name",
        "{'name':'a'}                                                                | /kind",
        "{'name':'a','kind':'cli'}                                                   | /kind",
        "{'name':1,'kind':'webhook'}                                                 | /name",
        "{'name':'-a','kind':'webhook'}                                              | /name",
        "{'name':'a b','kind':'webhook'}                                             | /name",
        "{'name':'a','kind':'webhook','filterJson':{},'webhookUrl':'U'}              | /shapeName",
        "{'name':'a','kind':'webhook','shapeName':'Sensor','webhookUrl':'U'}         | /filterJson",
        "{'name':'a','kind':'webhook','shapeName':'Sensor','filterJson':{}}          | /webhookUrl",
        "{'name':'a','kind':'webhook','shapeName':'S x','filterJson':{},'webhookUrl':'U'} | /shapeName",
        "{'name':'a','kind':'webhook','shapeName':'Sensor','filterJson':[],'webhookUrl':'U'} | /filterJson",
        "{'name':'a','kind':'webhook','shapeName':'Sensor','filterJson':{'any':[{'op':1}]},'webhookUrl':'U'} | /filterJson/any/0/op",
        "{'name':'a','kind':'webhook','shapeName':'Sensor','filterJson':{},'webhookUrl':7} | /webhookUrl",
        "{'name':'a','kind':'webhook','shapeName':'Sensor','on':'Sensor','filterJson':{},'webhookUrl':'U'} | /on",
        "{'name':'a','kind':'webhook','shapeName':'Sensor','filterJson':{},'webhookUrl':'U','color':1} | /color",
        "{'name':'a','kind':'webhook','shapeName':'Sensor','filterJson':{},'webhookUrl':'U','spriteConfig':{}} | /spriteConfig",
        "{'name':'a','kind':'webhook','shapeName':'Sensor','filterJson':{},'webhookUrl':'U','cronConfig':{}} | /cronConfig",
        "{'name':'a','kind':'webhook','shapeName':'Sensor','filterJson':{},'webhookUrl':'U','tokenScopes':[]} | /tokenScopes",
        "{'name':'a','kind':'webhook','shapeName':'Sensor','filterJson':{},'webhookUrl':'U','executor':'webhook'} | /executor",
        "{'name':'a','kind':'webhook','shapeName':'Sensor','filterJson':{},'webhookUrl':'U','active':'yes'} | /active",
        "{'name':'a','kind':'webhook','shapeName':'Sensor','filterJson':{},'webhookUrl':'U','workspacePolicy':'all'} | /workspacePolicy",
        "{'name':'a','kind':'sprite','shapeName':'Sensor','filterJson':{}}           | /spriteConfig",
        "{'name':'a','kind':'sprite','shapeName':'Sensor','filterJson':{},'spriteConfig':{},'webhookUrl':'U'} | /webhookUrl",
        "{'name':'a','kind':'cron','cronConfig':{'cronspec':'0 0 * * *'},'webhookUrl':'U'} | /executorKind",
        "{'name':'a','kind':'cron','executorKind':'cli','cronConfig':{'cronspec':'0 0 * * *'},'webhookUrl':'U'} | /executorKind",
        "{'name':'a','kind':'cron','executorKind':'webhook','webhookUrl':'U'}        | /cronConfig",
        "{'name':'a','kind':'cron','executorKind':'webhook','cronConfig':{'cronspec':'0 0 * * *'}} | /webhookUrl",
        "{'name':'a','kind':'cron','executorKind':'sprite','cronConfig':{'cronspec':'0 0 * * *'}} | /spriteConfig",
        "{'name':'a','kind':'cron','executorKind':'sprite','cronConfig':{'cronspec':'0 0 * * *'},'webhookUrl':'U'} | /spriteConfig",
        "{'name':'a','kind':'cron','executorKind':'webhook','cronConfig':{},'webhookUrl':'U'} | /cronConfig/cronspec",
        "{'name':'a','kind':'cron','executorKind':'webhook','cronConfig':{'cronspec':'* * * * *'},'webhookUrl':'U'} | /cronConfig/cronspec",
        "{'name':'a','kind':'cron','executorKind':'webhook','cronConfig':{'cronspec':5},'webhookUrl':'U'} | /cronConfig/cronspec",
        "{'name':'a','kind':'cron','executorKind':'webhook','cronConfig':{'cronspec':'0 0 * * *','timezone':'Mars'},'webhookUrl':'U'} | /cronConfig/timezone",
        "{'name':'a','kind':'cron','executorKind':'webhook','cronConfig':{'cronspec':'0 0 * * *','zone':'UTC'},'webhookUrl':'U'} | /cronConfig/zone",
        "{'name':'a','kind':'cron','executorKind':'webhook','cronConfig':{'cronspec':'0 0 * * *'},'webhookUrl':'U','shapeName':'Sensor'} | /shapeName",
        "{'name':'a','kind':'cron','executorKind':'webhook','cronConfig':{'cronspec':'0 0 * * *'},'webhookUrl':'U','sourceRepo':'o/r'} | /sourceRepo",
      })
  void what_is_wrong_is_refused_with_its_place(String body, String pointer) {
    subscribe(repository, body.replace("'U'", "'" + Subs.URL + "'"))
        .statusCode(400)
        .body("code", equalTo("VALIDATION_ERROR"))
        .body("errors[0].pointer", equalTo(pointer));
    admin().get(repository + "/subs").then().body("", hasSize(0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'inputMode':'stdin'}                                                | /command",
        "{'command':' ','inputMode':'stdin'}                                  | /command",
        "{'command':['a'],'inputMode':'stdin'}                                | /command",
        "{'command':'a'}                                                      | /inputMode",
        "{'command':'a','inputMode':'file'}                                   | /inputMode",
        "{'command':'a','inputMode':'stdin','gitRepo':'owner'}                | /gitRepo",
        "{'command':'a','inputMode':'stdin','gitRepo':'-o/r','ref':'main'}    | /gitRepo",
        "{'command':'a','inputMode':'stdin','gitRepo':'o/..','ref':'main'}    | /gitRepo",
        "{'command':'a','inputMode':'stdin','gitRepo':'o/r/x','ref':'main'}   | /gitRepo",
        "{'command':'a','inputMode':'stdin','gitRepo':'https://h/r','ref':'m'} | /gitRepo",
        "{'command':'a','inputMode':'stdin','gitRepo':'o/r'}                  | /ref",
        "{'command':'a','inputMode':'stdin','gitRepo':'o/r','ref':'--upload-pack=x'} | /ref",
        "{'command':'a','inputMode':'stdin','gitRepo':'o/r','ref':'a..b'}     | /ref",
        "{'command':'a','inputMode':'stdin','spriteName':'-x'}                | /spriteName",
        "{'command':'a','inputMode':'json-file','inputPath':'../x'}           | /inputPath",
        "{'command':'a','inputMode':'json-file','inputPath':'a/../../x'}      | /inputPath",
        "{'command':'a','inputMode':'json-file','inputPath':'a/'}             | /inputPath",
        "{'command':'a','inputMode':'stdin','spritePool':'a b'}               | /spritePool",
        "{'command':'a','inputMode':'stdin','tokenTtlMinutes':4}              | /tokenTtlMinutes",
        "{'command':'a','inputMode':'stdin','tokenTtlMinutes':61}             | /tokenTtlMinutes",
        "{'command':'a','inputMode':'stdin','tokenTtlMinutes':5.5}            | /tokenTtlMinutes",
        "{'command':'a','inputMode':'stdin','tokenTtlMinutes':'5'}            | /tokenTtlMinutes",
        "{'command':'a','inputMode':'stdin','image':'x'}                      | /image",
      })
  void a_sprite_config_that_is_wrong_is_refused(String config, String pointer) {
    subscribe(
            repository,
            "{'name':'s','kind':'sprite','shapeName':'Sensor','filterJson':{},'spriteConfig':%s}"
                .formatted(config))
        .statusCode(400)
        .body("code", equalTo("VALIDATION_ERROR"))
        .body("errors[0].pointer", equalTo("/spriteConfig" + pointer));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'command':'a','inputMode':'stdin','tokenTtlMinutes':5}",
        "{'command':'a','inputMode':'stdin','tokenTtlMinutes':60.0}",
        "{'command':'a','inputMode':'env','gitRepo':'none'}",
        "{'command':'a','inputMode':'stdin','gitRepo':'O-1/.github','ref':'v1.0+b_c/d'}",
        "{'command':'a','inputMode':'json-file','inputPath':'/data/in.json'}",
        "{'command':'a\\nb','inputMode':'stdin','ref':null}",
      })
  void a_sprite_config_at_the_edge_is_taken(String config) {
    subscribe(
            repository,
            "{'name':'s','kind':'sprite','shapeName':'Sensor','filterJson':{},'spriteConfig':%s}"
                .formatted(config))
        .statusCode(201);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[]                                                                  | ``",
        "{}                                                                  | ``",
        "['repo:read']                                                       | /0",
        "[{}]                                                                | /0/permissions",
        "[{'permissions':[]}]                                                | /0/permissions",
        "[{'permissions':'repo:read'}]                                       | /0/permissions",
        "[{'permissions':['repo:fly']}]                                      | /0/permissions/0",
        "[{'permissions':['org:read']}]                                      | /0/permissions/0",
        "[{'permissions':['repo:read','repo:read']}]                         | /0/permissions/1",
        "[{'permissions':['repo:read']},{'permissions':['repo:write','repo:read']}] | /1/permissions/1",
        "[{'permissions':['repo:read'],'resource':'o/r'}]                    | /0/resource",
        "[{'permissions':['repo:read'],'allowedMatches':'**'}]               | /0/allowedMatches",
        "[{'permissions':['repo:read'],'allowedMatches':null}]               | /0/allowedMatches",
        "[{'permissions':['repo:read'],'allowedMatches':['']}]               | /0/allowedMatches/0",
        "[{'permissions':['repo:read'],'allowedMatches':['**','a//b']}]      | /0/allowedMatches/1",
      })
  void token_scopes_that_are_wrong_are_refused(String scopes, String pointer) {
    subscribe(repository, sprite("s", ",'tokenScopes':" + scopes))
        .statusCode(400)
        .body("code", equalTo("VALIDATION_ERROR"))
        .body("errors[0].pointer", equalTo("/tokenScopes" + pointer));
  }

  @Test
  void token_scopes_beyond_the_creators_own_rights_are_forbidden() {
    var org = named(repository).split("/", -1)[0];
    var editor = People.member(accounts, org, "editor");
    as(editor.token())
        .body(sprite("s", ",'tokenScopes':[{'permissions':['repo:admin']}]").replace('\'', '"'))
        .post(repository + "/subs")
        .then()
        .statusCode(403)
        .body("errors[0].pointer", equalTo("/tokenScopes/0/permissions/0"));
    var pat =
        People.pat(
            editor.token(),
            "{'resource':'%s','permissions':['repo:write']}".formatted(named(repository)));
    as(pat)
        .body(
            sprite("s", ",'tokenScopes':[{'permissions':['repo:action-callback']}]")
                .replace('\'', '"'))
        .post(repository + "/subs")
        .then()
        .statusCode(403);
    as(pat)
        .body(sprite("s", ",'tokenScopes':[{'permissions':['repo:write']}]").replace('\'', '"'))
        .post(repository + "/subs")
        .then()
        .statusCode(201);
  }

  @Test
  void an_unknown_shape_is_not_found() {
    subscribe(
            repository,
            "{'name':'w','kind':'webhook','shapeName':'Room','filterJson':{},'webhookUrl':'%s'}"
                .formatted(Subs.URL))
        .statusCode(404)
        .body("code", equalTo("NOT_FOUND"))
        .body("errors[0].pointer", equalTo("/shapeName"));
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
  void a_name_has_at_most_128_characters() {
    subscribe(repository, webhook("a".repeat(128))).statusCode(201);
    subscribe(repository, webhook("a".repeat(129))).statusCode(400);
  }

  @Test
  void a_url_has_at_most_2048_characters() {
    var base = "http://127.0.0.1:9/";
    subscribe(repository, webhook("w").replace(Subs.URL, base + "x".repeat(2_048 - base.length())))
        .statusCode(201);
    subscribe(repository, webhook("v").replace(Subs.URL, base + "x".repeat(2_049 - base.length())))
        .statusCode(400)
        .body("errors[0].pointer", equalTo("/webhookUrl"));
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
        .body("errors[0].pointer", equalTo("dryRun"));
    get(repository, "w").statusCode(404).body("code", equalTo("NOT_FOUND"));
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
