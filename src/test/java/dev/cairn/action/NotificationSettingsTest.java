package dev.cairn.action;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HostileTargets;
import dev.cairn.HttpTest;
import dev.cairn.People;
import io.quarkus.test.junit.QuarkusTest;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Actions, Notifications: the URL and the credential set that a repository's settings name. */
@HttpTest
@QuarkusTest
class NotificationSettingsTest extends OneHook {
  @Test
  void settings_are_merged_and_null_takes_away() {
    deliveries.credentials(repository, "ops", Map.of("WEBHOOK_API_KEY", "k"));
    settings("{'streams':{'enabled':true}}").statusCode(200);
    settings("{'notifications':{'webhookUrl':'https://example.org/a'}}")
        .statusCode(200)
        .body("settings.streams.enabled", is(true))
        .body("settings.notifications", is(Map.of("webhookUrl", "https://example.org/a")));
    settings("{'notifications':{'credentialSetName':'ops'}}")
        .statusCode(200)
        .body("settings.notifications.webhookUrl", is("https://example.org/a"))
        .body("settings.notifications.credentialSetName", is("ops"));
    settings("{'notifications':{'webhookUrl':null}}")
        .statusCode(400)
        .body("errors.pointer", contains("/settings/notifications/credentialSetName"));
    settings("{'notifications':{'credentialSetName':null}}")
        .statusCode(200)
        .body("settings.notifications", is(Map.of("webhookUrl", "https://example.org/a")));
    settings("null").statusCode(200).body("settings.notifications", hasKey("webhookUrl"));
    settings("{'notifications':null}")
        .statusCode(200)
        .body("settings", is(Map.of("streams", Map.of("enabled", true))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'notifications':{'webhookUrl':'http://example.org/'}} | /settings/notifications/webhookUrl",
        "{'notifications':{'webhookUrl':'https://169.254.169.254/'}} | /settings/notifications/webhookUrl",
        "{'notifications':{'webhookUrl':''}} | /settings/notifications/webhookUrl",
        "{'notifications':{'webhookUrl':7}} | /settings/notifications/webhookUrl",
        "{'notifications':{'colour':null}} | /settings/notifications/colour",
        "{'notifications':{'credentialSetName':'ops'}} | /settings/notifications/credentialSetName",
        "{'notifications':'https://example.org/'} | /settings/notifications",
        "{'colour':'red'} | /settings/colour",
        "7 | /settings"
      })
  void what_is_not_valid_changes_nothing(String settings, String pointer) {
    settings(settings)
        .statusCode(400)
        .body("code", is("VALIDATION_ERROR"))
        .body("errors.pointer", contains(pointer));
    admin().get(repository).then().body("settings", is(Map.of()));
  }

  @Test
  void hostile_targets_are_refused_when_they_are_set() {
    for (var url : HostileTargets.urls()) {
      var change = Map.of("settings", Map.of("notifications", Map.of("webhookUrl", url)));
      var answer = admin().body(change).patch(repository);
      assertEquals(400, answer.statusCode(), url);
      assertEquals("WEBHOOK_TARGET_FORBIDDEN", answer.path("details.reason"), url);
    }
    admin().get(repository).then().body("settings", is(Map.of()));
  }

  @Test
  void a_url_has_at_most_2048_characters() {
    var base = "https://example.org/";
    var most = base + "x".repeat(2_048 - base.length());
    settings("{'notifications':{'webhookUrl':'%s'}}".formatted(most)).statusCode(200);
    settings("{'notifications':{'webhookUrl':'%sx'}}".formatted(most)).statusCode(400);
  }

  @Test
  void a_credential_set_that_cannot_be_used_is_refused() {
    var revoked = deliveries.credentials(repository, "revoked", Map.of());
    database.update("update credential_set set revoked_at = now() where id = ?", revoked);
    var url = receiver.url("/");
    settings("{'notifications':{'webhookUrl':'%s','credentialSetName':'none'}}".formatted(url))
        .statusCode(404)
        .body("errors.pointer", contains("/settings/notifications/credentialSetName"));
    settings("{'notifications':{'webhookUrl':'%s','credentialSetName':'revoked'}}".formatted(url))
        .statusCode(409)
        .body("details.reason", is("credential_set_revoked"));
    admin().get(repository).then().body("settings", is(Map.of()));
  }

  @Test
  void a_caller_that_may_change_nothing_sees_only_the_origin_of_the_url() {
    deliveries.credentials(repository, "ops", Map.of("WEBHOOK_API_KEY", "k"));
    settings(
            "{'notifications':{'webhookUrl':'%s','credentialSetName':'ops'}}"
                .formatted(receiver.url("/told?c=d")))
        .statusCode(200);
    var org = repository.split("/", -1)[3];
    var origin = receiver.url("/…");
    as(People.member(org, "editor").token())
        .get(repository)
        .then()
        .body("settings.notifications.webhookUrl", is(receiver.url("/told?c=d")))
        .body("settings.notifications.credentialSetName", is("ops"));
    as(People.pat(Api.adminToken(), "{'permissions':['repo:read']}"))
        .get(repository)
        .then()
        .body("settings.notifications", is(Map.of("webhookUrl", origin)));
    as(People.member(org, "viewer").token())
        .get(repository)
        .then()
        .statusCode(200)
        .body("", not(hasKey("settings")));
    anonymous().get(repository).then().statusCode(404);
  }
}
