package dev.cairn.platform.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.Prepared;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths that another reader could take for another path: refused for every verb and caller. */
@HttpTest
@QuarkusTest
class HostilePathTest {
  private static final List<String> VERBS =
      List.of("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PURGE");

  private static final List<String> WITHOUT_BODY = List.of("GET", "HEAD", "OPTIONS", "TRACE");

  /** What a dot segment with two dots can be written as. */
  private static final List<String> DOT_DOT =
      List.of(
          "..",
          "%2e%2e",
          "%2E%2e",
          ".%2E",
          "%2e.",
          "..;",
          "..;x=1",
          "%2e%2e;x",
          "%2e%2e%3bx",
          ".%2e%3Bx",
          "%252e%252e",
          "%25252e.",
          "..%253bx",
          "..%2f..",
          "%2e%2e%2F%2e%2e",
          "..%252f..",
          "x%2f..",
          "%2F..",
          "x%2F..;y",
          "..%255c..",
          "..%5c..");

  private static final List<String> OTHERS =
      List.of(
          ".",
          "%2e",
          ".;x",
          "%252e",
          "",
          "%5c",
          "%5C..%5c",
          "a%00",
          "%00",
          "%ff",
          "%c0%ae%c0%ae",
          "%ed%a0%80",
          "a%80",
          "%e2%82",
          "#/../..");

  private String repository;
  private String organization;
  private String before;

  @BeforeEach
  void something_to_lose() {
    repository = Api.newRepository("private");
    organization = "/api/orgs/" + repository.split("/", -1)[3];
    before = state();
  }

  private String state() {
    return Stream.of(repository, organization, organization + "/members", repository + "/subs")
        .map(path -> Api.admin().get(path).then().statusCode(200).extract().asString())
        .toList()
        .toString();
  }

  private static RawHttp.Answer ask(String verb, String target) {
    return RawHttp.send(
        verb + " " + target,
        WITHOUT_BODY.contains(verb) ? "" : "{\"visibility\":\"public\",\"name\":\"taken-over\"}",
        "Content-Type: application/json",
        "Authorization: Bearer " + Api.adminToken());
  }

  private static void assertRefused(String verb, String target) {
    var answer = ask(verb, target);
    var said = verb + " " + target + " -> " + answer;
    assertEquals(400, answer.status(), said);
    assertEquals("application/problem+json", answer.header("content-type"), said);
    assertEquals("nosniff", answer.header("x-content-type-options"), said);
    assertEquals("no-store", answer.header("cache-control"), said);
    if (!verb.equals("HEAD")) {
      assertTrue(answer.body().contains("\"VALIDATION_ERROR\""), said);
    }
  }

  private void assertAllRefused(Stream<String> targets) {
    assertAll(
        targets.flatMap(target -> VERBS.stream().map(verb -> () -> assertRefused(verb, target))));
    assertEquals(before, state());
  }

  @Test
  void a_dot_segment_leads_from_nothing_to_what_holds_it() {
    assertAllRefused(
        DOT_DOT.stream()
            .flatMap(
                up ->
                    Stream.of(
                        repository + "/subs/" + up,
                        repository + "/credential-sets/" + up,
                        repository + "/subs/x/" + up + "/" + up,
                        organization + "/members/" + up,
                        "/mcp/" + up + repository,
                        "/oauth/" + up + repository,
                        "http://localhost" + repository + "/subs/" + up)));
  }

  @Test
  void no_other_segment_that_can_be_read_in_two_ways_is_routed() {
    assertAllRefused(
        OTHERS.stream()
            .flatMap(
                segment ->
                    Stream.of(
                        repository + "/subs/" + segment,
                        repository + "/" + segment + "/subs",
                        organization + "/" + segment)));
  }

  @Test
  void the_same_holds_on_every_route() {
    var name = repository.substring("/api/repos/".length());
    var targets = new ArrayList<String>();
    for (var up : List.of("..", "%2e%2e", "..;x", "", ".")) {
      targets.addAll(
          List.of(
              "/" + up + repository,
              "/api/" + up + "/api/whoami",
              "/api/repos/demo/world/things/Country/" + up + "/Country/DE",
              "/" + name + "/" + up + "/readme.md",
              "/demo/" + up + "/demo/world/llms.txt",
              "/mcp/" + up + "/mcp",
              "/mcp/demo/" + up + "/world",
              "/oauth/" + up + "/oauth/register",
              "/.well-known/" + up + "/.well-known/jwks.json",
              "/internal/" + up + "/internal/tick",
              "/q/" + up + "/q/health",
              "/device/" + up + "/device"));
    }
    assertAllRefused(targets.stream());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/whoami/",
        "/api/repos/demo/world/",
        "/api/repos/demo/world/head/",
        "/mcp/",
        "/mcp/demo/world/",
        "/oauth/register/",
        "/demo/world/readme.md/",
        "/.well-known/oauth-authorization-server/"
      })
  void a_slash_at_the_end_is_an_empty_segment(String target) {
    assertAllRefused(Stream.of(target));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/%61pi/whoami",
        "/ap%69/whoami",
        "/%6dcp",
        "/%71/metrics",
        "/q/%6detrics",
        "/api/%77hoami",
        "/internal/%74ick",
        "/%2ewell-known/jwks.json",
        "/api/repos/demo/world/%73ubs"
      })
  void no_second_spelling_of_a_route_passes_rules_of_a_proxy_for_the_first(String target) {
    assertAllRefused(Stream.of(target));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "api/whoami",
        "*",
        "localhost:80",
        "x://localhost/api/whoami",
        "http:///api/whoami",
        "http://localhost?x=/api/whoami",
        "http://localhost#/api/whoami",
        "x/../http://localhost/api/whoami"
      })
  void a_target_is_a_path_or_an_absolute_url(String target) {
    assertAllRefused(Stream.of(target));
  }

  @Test
  void callers_without_a_token_and_with_a_wrong_one_get_the_same_answer_as_the_owner() {
    var target = repository + "/subs/..";
    var anonymous = RawHttp.send("DELETE " + target, "");
    var wrong = RawHttp.send("DELETE " + target, "", "Authorization: Bearer wrong");
    assertEquals(400, anonymous.status(), anonymous.toString());
    assertEquals(anonymous.body(), wrong.body());
    assertEquals(anonymous.body(), ask("DELETE", target).body());
    assertTrue(anonymous.body().contains("dot segment"), anonymous.body());
  }

  @Test
  void a_target_in_absolute_form_is_the_path_in_it() {
    var answer = RawHttp.get("http://localhost/api/repos/demo/world/count?shape=Country");
    assertEquals("{\"count\":249}", answer.body());
    assertEquals(RawHttp.get("/").body(), RawHttp.get("http://localhost").body());
    var tagged = RawHttp.get("http://localhost/api/repos/demo/world/things/Country/DE");
    var plain = RawHttp.get("/api/repos/demo/world/things/Country/DE");
    assertEquals(plain.header("etag"), tagged.header("etag"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "user:password@localhost",
        "user@localhost",
        "@localhost",
        "evil.example",
        "user:password@evil.example",
        "localhost:80",
        "localhost@",
        "127.0.0.1"
      })
  void the_authority_of_a_target_is_the_host_of_the_request(String authority) {
    var refused = ask("DELETE", "http://" + authority + repository);
    assertEquals(400, refused.status(), refused.toString());
    assertEquals(200, ask("GET", repository + "/count").status());
  }

  @Test
  void the_host_of_a_request_may_be_in_its_target_too() {
    var path = "/api/repos/demo/world/count";
    assertEquals(200, RawHttp.get("http://LOCALHOST" + path).status());
    var target = "GET https://evil.example:81" + path;
    assertEquals(200, RawHttp.sendTo("evil.example:81", target, "").status());
    assertEquals(200, RawHttp.oldest("GET http://evil.example" + path).status());
  }

  @Test
  void names_with_dots_semicolons_plus_and_encoded_slashes_are_found() {
    Prepared.commit(
        repository, "{'operation':'add','kind':'shape','name':'S','data':{'fields':{}}}");
    for (var name : List.of("a.b", "v1..2", "...", ".a", "x;y", "c++", "a-b_c~d", "übér/ß")) {
      Prepared.commit(
          repository, "{'operation':'add','kind':'thing','name':'S/%s','data':{}}".formatted(name));
      var encoded = URLEncoder.encode(name, UTF_8);
      for (var path :
          List.of(
              "S/" + encoded,
              "S%2F" + encoded,
              "S/" + encoded.replace("%2B", "+").replace("%3B", ";").replace("%2F", "/"))) {
        var answer = ask("GET", repository + "/things/" + path);
        assertEquals(200, answer.status(), path + " -> " + answer);
        assertTrue(answer.body().contains("\"S/" + name + "\""), answer.body());
      }
    }
  }

  @Test
  void an_encoded_slash_is_left_to_the_name_that_it_is_in() {
    var empty = RawHttp.get("/api/repos/demo/world/things/Country%2F%2FDE");
    assertEquals(400, empty.status(), empty.toString());
    assertEquals(404, ask("DELETE", repository + "/subs/x%2Fy").status());
    assertEquals(404, ask("DELETE", repository + "/credential-sets/x%2F..y").status());
    assertEquals(before, state());
  }
}
