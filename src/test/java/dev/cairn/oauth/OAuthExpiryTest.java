package dev.cairn.oauth;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.platform.database.Database;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Cleanup of expired codes and devices, and of unused clients. */
@HttpTest
@QuarkusTest
@InProcess("It has what has expired removed.")
class OAuthExpiryTest {
  @Inject Database database;
  @Inject OAuthExpiry expiry;

  private long count(String table, String where, Object... parameters) {
    return database
        .first(
            "select count(*) from " + table + " where " + where, row -> row.getLong(1), parameters)
        .orElseThrow();
  }

  @Test
  void codes_and_devices_go_a_day_after_their_end() {
    var web = Web.signedIn();
    String code = Flow.allow(web, Flow.ask()).get("code");
    String device =
        Flow.post("/oauth/device_authorization", Map.of("client_id", "cairn-cli"))
            .extract()
            .path("device_code");
    var secrets =
        Map.of(
            "oauth_code", code,
            "oauth_device", device);
    assertLeft(1, secrets, "23 hours");
    assertLeft(0, secrets, "25 hours");
  }

  private void assertLeft(long rows, Map<String, String> secrets, String ago) {
    secrets.forEach(
        (table, secret) ->
            database.update(
                "update " + table + " set expires_at = now() - ?::interval where hash = ?",
                ago,
                Secret.hash(secret)));
    expiry.runBatch();
    secrets.forEach(
        (table, secret) ->
            assertEquals(rows, count(table, "hash = ?", Secret.hash(secret)), table));
  }

  @Test
  void a_client_that_never_got_a_token_is_deleted_after_a_day() {
    var abandoned = Flow.register("Abandoned", Flow.REDIRECT);
    var granted = Flow.register("Granted", Flow.REDIRECT);
    var form = Flow.exchange(Flow.code(Flow.askWith("client_id", granted)));
    form.put("client_id", granted);
    Flow.token(form).statusCode(200);
    for (int hours : new int[] {23, 25}) {
      for (var id : new String[] {abandoned, granted}) {
        database.update(
            "update oauth_client set created_at = now() - make_interval(hours => ?) where id = ?",
            hours,
            id);
      }
      expiry.runBatch();
      assertEquals(hours < 24 ? 1 : 0, count("oauth_client", "id = ?", abandoned));
      assertEquals(1, count("oauth_client", "id = ?", granted));
    }
  }

  @Test
  void a_client_is_deleted_when_nobody_used_it_for_ninety_days() {
    var idle = Flow.register("Idle", Flow.REDIRECT);
    var busy = Flow.register("Busy", Flow.REDIRECT);
    for (var id : new String[] {idle, busy}) {
      database.update(
          "update oauth_client set used_at = now() - interval '89 days' where id = ?", id);
    }
    expiry.runBatch();
    assertEquals(1, count("oauth_client", "id = ?", idle));
    for (var id : new String[] {idle, busy}) {
      database.update(
          "update oauth_client set used_at = now() - interval '91 days' where id = ?", id);
    }
    var ask = Flow.askWith("client_id", busy);
    var form = Flow.exchange(Flow.code(ask));
    form.put("client_id", busy);
    Flow.token(form).statusCode(200);
    expiry.runBatch();
    assertEquals(0, count("oauth_client", "id = ?", idle));
    assertEquals(1, count("oauth_client", "id = ?", busy));
  }
}
