package dev.cairn.subscription;

import static dev.cairn.Api.admin;
import static dev.cairn.subscription.Subs.cron;
import static dev.cairn.subscription.Subs.get;
import static dev.cairn.subscription.Subs.patch;
import static dev.cairn.subscription.Subs.subscribe;
import static dev.cairn.subscription.Subs.webhook;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.HttpTest;
import dev.cairn.Prepared;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code docs/subscriptions.md}, Changing. */
@HttpTest
@QuarkusTest
class ChangeTest {
  private String repository;

  @BeforeEach
  void makeSubscriptions() {
    repository = Subs.repository();
    subscribe(repository, webhook("w")).statusCode(201);
    subscribe(
            repository,
            "{'name':'s','kind':'sprite','shapeName':'Sensor','filterJson':{},'spriteConfig':{"
                + "'command':'make','inputMode':'env','gitRepo':'o/r','ref':'main',"
                + "'tokenTtlMinutes':30}}")
        .statusCode(201);
    subscribe(repository, cron("c", "0 3 * * *", "")).statusCode(201);
  }

  @Test
  void what_is_sent_is_changed_and_nothing_else() {
    var other = Subs.URL + "/other";
    patch(repository, "w", "{'webhookUrl':'%s'}".formatted(other))
        .statusCode(200)
        .body("webhookUrl", equalTo(other))
        .body("shapeName", equalTo("Sensor"));
    patch(
            repository,
            "w",
            "{'filter':{'operation':'add'},'allowTraceReentry':true,'workspacePolicy':'include','notifyOnSuccess':true}")
        .statusCode(200);
    get(repository, "w")
        .body("webhookUrl", equalTo(other))
        .body("filterJson.operation", equalTo("add"))
        .body("allowTraceReentry", equalTo(true))
        .body("workspacePolicy", equalTo("include"))
        .body("notifyOnSuccess", equalTo(true))
        .body("active", equalTo(true));
  }

  @Test
  void nothing_is_changed_by_an_empty_body() {
    var before = get(repository, "s").extract().asString();
    patch(repository, "s", "{}").statusCode(200).body("name", equalTo("s"));
    assertEquals(before, get(repository, "s").extract().asString());
  }

  @Test
  void another_shape_can_be_watched() {
    Prepared.commit(
        repository, "{'operation':'add','kind':'shape','name':'Room','data':{'fields':{}}}");
    patch(repository, "w", "{'on':'Room'}").statusCode(200).body("shapeName", equalTo("Room"));
    patch(repository, "w", "{'shapeName':'Hall'}")
        .statusCode(404)
        .body("errors[0].pointer", equalTo("/shapeName"));
    get(repository, "w").body("shapeName", equalTo("Room"));
  }

  @Test
  void the_shape_is_shown_by_its_name_of_today() {
    Prepared.commit(
        repository, "{'operation':'rename','kind':'shape','name':'Sensor','newName':'Probe'}");
    get(repository, "w").body("shapeName", equalTo("Probe"));
  }

  @Test
  void the_members_of_a_config_are_merged_and_null_takes_one_away() {
    patch(repository, "s", "{'spriteConfig':{'command':'make test','tokenTtlMinutes':null}}")
        .statusCode(200)
        .body("spriteConfig.command", equalTo("make test"))
        .body("spriteConfig.inputMode", equalTo("env"))
        .body("spriteConfig.gitRepo", equalTo("o/r"))
        .body("spriteConfig.ref", equalTo("main"))
        .body("spriteConfig", not(hasKey("tokenTtlMinutes")));
    patch(repository, "s", "{'spriteConfig':{'gitRepo':null,'ref':null}}")
        .statusCode(200)
        .body("spriteConfig", not(hasKey("gitRepo")));
    patch(repository, "c", "{'cronConfig':{'timezone':'Europe/Berlin'}}")
        .statusCode(200)
        .body("cronConfig.cronspec", equalTo("0 3 * * *"))
        .body("cronConfig.timezone", equalTo("Europe/Berlin"));
    patch(repository, "c", "{'cronConfig':{'cronspec':'0 4 * * *'}}")
        .statusCode(200)
        .body("cronConfig.cronspec", equalTo("0 4 * * *"))
        .body("cronConfig.timezone", equalTo("Europe/Berlin"));
  }

  @Test
  void the_executor_of_a_cron_subscription_can_be_replaced() {
    patch(repository, "c", "{'executor':'sprite'}")
        .statusCode(400)
        .body("errors[0].pointer", equalTo("/spriteConfig"));
    patch(
            repository,
            "c",
            "{'executor':'sprite','spriteConfig':{'command':'x','inputMode':'stdin'}}")
        .statusCode(200)
        .body("executorKind", equalTo("sprite"))
        .body("spriteConfig.command", equalTo("x"))
        .body("", not(hasKey("webhookUrl")));
    patch(repository, "c", "{'executorKind':'webhook'}")
        .statusCode(400)
        .body("errors[0].pointer", equalTo("/webhookUrl"));
    patch(repository, "c", "{'executorKind':'webhook','url':'%s'}".formatted(Subs.URL))
        .statusCode(200)
        .body("executorKind", equalTo("webhook"))
        .body("", not(hasKey("spriteConfig")))
        .body("", not(hasKey("actionContainer")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "w | {'name':'x'}                                | /name",
        "w | {'kind':'cron'}                             | /kind",
        "w | {'active':false}                            | /active",
        "w | {'tokenScopes':[{'permissions':['repo:read']}]} | /tokenScopes",
        "s | {'tokenScopes':[{'permissions':['repo:read']}]} | /tokenScopes",
        "w | {'sourceRepo':'a/b'}                        | /sourceRepo",
        "w | {'spriteConfig':{'command':'x'}}            | /spriteConfig",
        "w | {'cronConfig':{'cronspec':'0 0 * * *'}}     | /cronConfig",
        "w | {'executorKind':'webhook'}                  | /executorKind",
        "w | {'color':'red'}                             | /color",
        "w | {'filterJson':{'shape':7}}                  | /filterJson/shape",
        "w | {'url':'ftp://example.org/'}                | /url",
        "w | {'workspacePolicy':'all'}                   | /workspacePolicy",
        "w | {'allowTraceReentry':'true'}                | /allowTraceReentry",
        "s | {'webhookUrl':'http://127.0.0.1:9/'}        | /webhookUrl",
        "s | {'spriteConfig':{'command':null}}           | /spriteConfig/command",
        "s | {'spriteConfig':{'ref':null}}               | /spriteConfig/ref",
        "s | {'spriteConfig':{'tokenTtlMinutes':99}}     | /spriteConfig/tokenTtlMinutes",
        "s | {'spriteConfig':'make'}                     | /spriteConfig",
        "c | {'shapeName':'Sensor'}                      | /shapeName",
        "c | {'filterJson':{}}                           | /filterJson",
        "c | {'cronConfig':{'cronspec':null}}            | /cronConfig/cronspec",
        "c | {'cronConfig':{'cronspec':'*/2 * * * *'}}   | /cronConfig/cronspec",
        "c | {'cronConfig':{'timezone':'Nowhere'}}       | /cronConfig/timezone",
        "c | {'spriteConfig':{'command':'x','inputMode':'stdin'}} | /spriteConfig",
      })
  void what_cannot_be_changed_is_refused_with_its_place(String name, String body, String pointer) {
    var before = get(repository, name).extract().asString();
    patch(repository, name, body)
        .statusCode(400)
        .body("code", equalTo("VALIDATION_ERROR"))
        .body("errors[0].pointer", equalTo(pointer));
    assertEquals(before, get(repository, name).extract().asString());
  }

  @Test
  void an_unknown_subscription_is_not_found() {
    patch(repository, "x", "{}").statusCode(404).body("code", equalTo("NOT_FOUND"));
  }

  @Test
  void an_archived_repository_takes_no_change() {
    admin().body("{\"archived\":true}").patch(repository).then().statusCode(200);
    patch(repository, "w", "{'allowTraceReentry':true}")
        .statusCode(409)
        .body("code", equalTo("ARCHIVED"));
  }
}
