package dev.cairn.subscription;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static dev.cairn.subscription.Subs.named;
import static dev.cairn.subscription.Subs.sprite;
import static dev.cairn.subscription.Subs.subscribe;
import static dev.cairn.subscription.Subs.webhook;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;

import dev.cairn.Costly;
import dev.cairn.HttpTest;
import dev.cairn.People;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Subscriptions: what is none, and what just is one. */
@HttpTest
@QuarkusTest
class CreateRefusedTest {
  private String repository;

  @BeforeEach
  void makeRepository() {
    repository = Subs.repository();
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
        "{'command':'a\\u0000b','inputMode':'stdin'}                         | /command",
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
  void token_scopes_have_patterns_that_together_cost_no_more_than_those_of_a_token() {
    var scopes = ",'tokenScopes':[{'permissions':['repo:read'],'allowedMatches':['%s']}]";
    subscribe(repository, sprite("s", scopes.formatted(String.join("','", Costly.patterns(125)))))
        .statusCode(201);
    subscribe(repository, sprite("t", scopes.formatted(String.join("','", Costly.patterns(126)))))
        .statusCode(400)
        .body("code", equalTo("VALIDATION_ERROR"))
        .body("errors[0].pointer", equalTo("/tokenScopes/0/allowedMatches"));
  }

  @Test
  void token_scopes_beyond_the_principals_own_rights_are_forbidden() {
    var org = named(repository).split("/", -1)[0];
    var editor = People.member(org, "editor");
    as(editor.token())
        .body(sprite("s", ",'tokenScopes':[{'permissions':['repo:admin']}]").replace('\'', '"'))
        .post(repository + "/subs")
        .then()
        .statusCode(403)
        .body("errors[0].pointer", equalTo("/tokenScopes/0/permissions/0"));
    var pat =
        People.pat(
            editor.token(),
            "{'resource':'%s','permissions':['repo:read','repo:write']}"
                .formatted(named(repository)));
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
}
