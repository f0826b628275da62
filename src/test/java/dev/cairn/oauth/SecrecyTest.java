package dev.cairn.oauth;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** OAuth: secrets stand neither in the database nor in the log. */
@HttpTest
@QuarkusTest
@InProcess("It listens to the log.")
class SecrecyTest {
  private final Database database = OwnConnections.database();

  private final List<String> logged = Collections.synchronizedList(new ArrayList<>());

  private final Handler listener =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          logged.add(line.getMessage() + " " + java.util.Arrays.toString(line.getParameters()));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  private List<String> everythingStored() {
    return database
        .list(
            """
            select table_name from information_schema.tables
            where table_schema = 'public' and table_type = 'BASE TABLE'
            """,
            row -> row.getString(1))
        .stream()
        .flatMap(
            table ->
                database
                    .list("select t::text from \"" + table + "\" t", row -> row.getString(1))
                    .stream())
        .toList();
  }

  @Test
  void a_secret_in_the_wrong_place_comes_back_cut_off() {
    var web = Web.signedIn();
    var code = Flow.allow(web, Flow.ask()).get("code");
    var device =
        Flow.post("/oauth/device_authorization", Map.of("client_id", "cairn-cli")).extract();
    var secrets =
        Map.of(
            "cairn_cookie_", web.cookies.get("cairn-session"),
            "cairn_code_", code,
            "cairn_device_", device.<String>path("device_code"),
            "cairn_refresh_",
                Flow.token(Flow.exchange(code)).extract().<String>path("refresh_token"));
    secrets.forEach(
        (prefix, secret) -> {
          assertTrue(secret.startsWith(prefix), prefix);
          for (var answer :
              List.of(
                  Api.admin().delete("/api/pats/" + secret),
                  Api.admin().get("/api/orgs/" + secret),
                  Api.admin().body(Map.of("name", secret + "!")).post("/api/pats"))) {
            var body = answer.asString();
            assertFalse(body.contains(secret.substring(prefix.length())), body);
            assertTrue(answer.statusCode() >= 400, body);
          }
          var echoed = Api.admin().delete("/api/pats/" + secret).asString();
          assertTrue(echoed.contains(prefix + "…"), echoed);
        });
  }

  @Test
  void no_code_token_cookie_or_password_is_stored_or_logged_in_the_clear() {
    var root = Logger.getLogger("");
    root.addHandler(listener);
    var secrets = new ArrayList<String>();
    try {
      var web = Web.signedIn();
      secrets.add(Flow.PASSWORD);
      secrets.add(web.cookies.get("cairn-session"));
      var code = Flow.allow(web, Flow.ask()).get("code");
      secrets.add(code);
      var tokens = Flow.token(Flow.exchange(code)).extract();
      secrets.add(tokens.path("access_token"));
      secrets.add(tokens.path("refresh_token"));
      Flow.token(Flow.exchange(code)).statusCode(400);
      var device =
          Flow.post("/oauth/device_authorization", Map.of("client_id", "cairn-cli")).extract();
      secrets.add(device.path("device_code"));
      secrets.add(device.<String>path("user_code").replace("-", ""));
      web.submit(web.get("/device"), Map.of("user_code", device.path("user_code")));
      Logger.getLogger("dev.cairn").severe("the listener hears");
    } finally {
      root.removeHandler(listener);
    }
    assertTrue(logged.stream().anyMatch(line -> line.contains("the listener hears")));
    var stored = everythingStored();
    assertTrue(stored.size() > 10);
    for (var secret : secrets) {
      assertFalse(logged.stream().anyMatch(line -> line.contains(secret)), "logged");
      assertFalse(stored.stream().anyMatch(row -> row.contains(secret)), "stored");
    }
  }
}
