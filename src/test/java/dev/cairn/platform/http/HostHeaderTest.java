package dev.cairn.platform.http;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.TestDatabase;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Without a public URL: {@code Host} names nothing that is given out, unless it is a loopback. */
@HttpTest
@QuarkusTest
class HostHeaderTest {
  private static final String SERVER = "GET /.well-known/oauth-authorization-server";
  private static final String JSON = "Content-Type: application/json";
  private static final String ACCEPT_MCP = "Accept: application/json, text/event-stream";
  private static final String LIST_TOOLS =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}";

  /** An authorization request, which leads to the sign-in page. */
  private static final String AUTHORIZE =
      "/oauth/authorize?response_type=code&client_id=cairn-cli"
          + "&redirect_uri=http://127.0.0.1:5555/callback&code_challenge_method=S256"
          + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

  private static String admin() {
    return "Authorization: Bearer " + Api.adminToken();
  }

  private static String unescaped(RawHttp.Answer answer) {
    return answer.body().replace("\\/", "/");
  }

  private static String listening() {
    return "http://localhost:" + RestAssured.port;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "evil.example:8080",
        "localhost.evil.example",
        "evil-localhost",
        "localhost.",
        "127.0.0.1.evil.example",
        "127.0.0.1.nip.io",
        "0.0.0.0",
        "10.0.0.1",
        "1270.0.0.1",
        "127.999.1.1",
        "127.0.0.256",
        "127.0.0.01",
        "2130706433",
        "[::2]",
        "[::ffff:127.0.0.1]"
      })
  void another_host_is_named_in_no_answer(String host) {
    var repository = Api.newRepository();
    var org = repository.split("/", -1)[3];
    var login =
        "{\"email\":\"%s\",\"password\":\"%s\"}"
            .formatted(TestDatabase.ADMIN_EMAIL, TestDatabase.ADMIN_PASSWORD);
    var cron =
        "{\"name\":\"c\",\"kind\":\"cron\",\"executorKind\":\"webhook\","
            + "\"webhookUrl\":\"https://hooks.example.org/\",\"cronConfig\":{\"cronspec\":\"0 0 * * *\"}}";
    var component =
        "{\"manifest\":{\"component\":{\"id\":\"c\",\"name\":\"C\",\"version\":\"1.0.0\"}}}";
    assertAll(
        Stream.of(
                RawHttp.sendTo(host, SERVER, ""),
                RawHttp.sendTo(host, "GET /.well-known/oauth-protected-resource", ""),
                RawHttp.sendTo(host, "GET /.well-known/oauth-protected-resource/mcp", ""),
                RawHttp.sendTo(host, "GET /mcp/.well-known/oauth-protected-resource", ""),
                RawHttp.sendTo(host, "GET /", "", "Accept: text/html"),
                RawHttp.sendTo(host, "GET /", "", "Accept: application/json"),
                RawHttp.sendTo(host, "GET /llms.txt", ""),
                RawHttp.sendTo(host, "GET /demo/world/llms.txt", ""),
                RawHttp.sendTo(host, "GET /device", ""),
                RawHttp.sendTo(host, "GET /oauth/sign-in", ""),
                RawHttp.sendTo(host, "GET " + AUTHORIZE, ""),
                RawHttp.sendTo(host, "GET /q/openapi", ""),
                RawHttp.sendTo(host, "POST /api/auth/login", login, JSON),
                RawHttp.sendTo(host, "POST /api/orgs", named(), JSON, admin()),
                RawHttp.sendTo(host, "POST /api/orgs/" + org + "/repos", named(), JSON, admin()),
                RawHttp.sendTo(
                    host, "PUT /api/component-registry/" + org + "/c", component, JSON, admin()),
                RawHttp.sendTo(host, "GET /api/repos/demo/world/query?limit=1", ""),
                RawHttp.sendTo(host, "POST " + repository + "/subs", cron, JSON, admin()),
                RawHttp.sendTo(host, "GET " + repository + "/subs", "", admin()),
                RawHttp.sendTo(host, "GET " + repository + "/export?prefer=async", "", admin()),
                RawHttp.sendTo(host, "GET /api/pats", ""),
                RawHttp.sendTo(host, "GET /api/pats", "", "Authorization: Bearer x"),
                RawHttp.sendTo(host, "POST /mcp", call("org_list", "{}"), JSON, ACCEPT_MCP),
                RawHttp.sendTo(host, "POST /mcp", LIST_TOOLS, JSON, "Authorization: Bearer x"),
                RawHttp.sendTo(
                    host,
                    "POST /oauth/device_authorization",
                    "client_id=cairn-cli",
                    "Content-Type: application/x-www-form-urlencoded"))
            .map(answer -> () -> assertNotNamed(host, answer)));
  }

  private static String named() {
    return "{\"name\":\"%s\"}".formatted(Api.unique("named"));
  }

  /** A call of a tool over MCP. */
  private static String call(String tool, String arguments) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\",\"arguments\":%s}}"
        .formatted(tool, arguments);
  }

  /** Expects a success or 401. Other refusals contain no URLs, so they would prove nothing. */
  private static void assertNotNamed(String host, RawHttp.Answer answer) {
    boolean isRefused = answer.status() >= 400 && answer.status() != 401;
    assertFalse(answer.status() == 0 || isRefused, answer.toString());
    assertFalse(answer.toString().contains(host), () -> host + " is in " + answer);
  }

  @Test
  void the_url_of_a_download_is_relative_then() {
    var repository = Api.newRepository();
    var export = repository + "/export";
    String token =
        Api.admin()
            .get(export + "?prefer=async")
            .then()
            .statusCode(202)
            .extract()
            .path("exportToken");
    var progress = "GET " + export + "?token=" + token;
    Eventually.await(
        "the export is built",
        () -> RawHttp.sendTo("evil.example", progress, "", admin()).status() == 200);
    var url = "\"url\":\"/api/exports/";
    var answer = RawHttp.sendTo("evil.example", progress, "", admin());
    assertTrue(answer.body().contains(url), answer.body());
    var name = repository.substring("/api/repos/".length());
    var tool = call("export_create", "{\"token\":\"" + token + "\"}");
    var told = RawHttp.sendTo("evil.example", "POST /mcp/" + name, tool, JSON, ACCEPT_MCP, admin());
    assertTrue(told.body().contains(url), told.body());
    assertFalse(told.toString().contains("evil.example"), told.toString());
  }

  @Test
  void links_are_relative_then() {
    var body = "{\"name\":\"%s\"}".formatted(Api.unique("relative"));
    var made = RawHttp.sendTo("evil.example", "POST /api/orgs", body, JSON, admin());
    assertEquals(201, made.status(), made.toString());
    assertTrue(made.header("location").startsWith("/api/orgs/relative-"), made.toString());
    var page = RawHttp.sendTo("evil.example", "GET /api/repos/demo/world/query?limit=1", "");
    assertTrue(page.header("link").startsWith("</api/repos/demo/world/query?"), page.toString());
  }

  @Test
  void tokens_and_metadata_name_localhost_and_the_port_that_is_listened_on() {
    var metadata = unescaped(RawHttp.sendTo("evil.example", SERVER, ""));
    assertTrue(metadata.contains("\"issuer\":\"" + listening() + "\""), metadata);
    var token =
        RawHttp.sendTo(
            "evil.example",
            "POST /api/auth/login",
            "{\"email\":\"%s\",\"password\":\"%s\"}"
                .formatted(TestDatabase.ADMIN_EMAIL, TestDatabase.ADMIN_PASSWORD),
            JSON);
    var jwt = token.body().split("\\.", 3)[1];
    var claims = new String(Base64.getUrlDecoder().decode(jwt), StandardCharsets.UTF_8);
    assertTrue(claims.replace("\\/", "/").contains("\"iss\":\"" + listening() + "\""), claims);
  }

  @Test
  void a_client_that_must_sign_in_is_sent_to_no_metadata_of_another_host() {
    for (var host : List.of("evil.example", "localhost:8081")) {
      var answer = RawHttp.sendTo(host, "POST /mcp", LIST_TOOLS, JSON, "Authorization: Bearer x");
      assertEquals(401, answer.status(), answer.toString());
      assertEquals(
          host.equals("evil.example")
              ? "Bearer error=\"invalid_token\""
              : "Bearer error=\"invalid_token\", resource_metadata=\"http://localhost:8081"
                  + "/.well-known/oauth-protected-resource\"",
          answer.header("www-authenticate"));
    }
  }

  /** Another program can listen on that port of the other family's loopback address. */
  @ParameterizedTest
  @ValueSource(strings = {"localhost:18201", "[::1]:9090", "127.8.9.10", "evil.example"})
  void runs_are_told_the_address_that_is_listened_on_whatever_the_host(String host) {
    var repository = Api.newRepository();
    var sub =
        "{\"name\":\"c\",\"kind\":\"cron\",\"executorKind\":\"webhook\","
            + "\"webhookUrl\":\"http://127.0.0.1:9/\",\"cronConfig\":{\"cronspec\":\"0 0 * * *\"}}";
    var made = RawHttp.sendTo(host, "POST " + repository + "/subs", sub, JSON, admin());
    assertEquals(201, made.status(), made.toString());
    var stored =
        OwnConnections.database()
            .first(
                """
                select s.base_url from subscription s
                join repository r on r.id = s.repo_id join organization o on o.id = r.org_id
                where o.name || '/' || r.name = ?
                """,
                row -> row.getString(1),
                repository.substring("/api/repos/".length()));
    assertEquals(Optional.of("http://127.0.0.1:" + RestAssured.port), stored);
  }

  @ParameterizedTest
  @CsvSource({
    "localhost, http://localhost",
    "localhost:9090, http://localhost:9090",
    "LocalHost:9090, http://localhost:9090",
    "cairn.localhost:9090, http://cairn.localhost:9090",
    "127.0.0.1:9090, http://127.0.0.1:9090",
    "127.8.9.10, http://127.8.9.10",
    "[::1]:9090, http://[::1]:9090"
  })
  void a_loopback_name_is_taken_from_the_request(String host, String issuer) {
    var metadata = unescaped(RawHttp.sendTo(host, SERVER, ""));
    assertTrue(metadata.contains("\"issuer\":\"" + issuer + "\""), metadata);
  }
}
