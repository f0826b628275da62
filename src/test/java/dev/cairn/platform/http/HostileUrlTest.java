package dev.cairn.platform.http;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** URLs that no honest client sends: a problem document answers each, and never a fault. */
@HttpTest
@QuarkusTest
class HostileUrlTest {
  private static final List<String> HOSTILE =
      List.of(
          "%00",
          "a%00b",
          "%ff",
          "%c0%af",
          "%ed%a0%80",
          "..;",
          "a;b",
          "%2e%2e%2f%2e%2e",
          "..%2f..%2fetc%2fpasswd",
          "%5c..%5c",
          "a;b=c",
          "%3b",
          "%0d%0aX-Injected:%201",
          "%250d",
          "'",
          "%27%20or%201=1--",
          "%f0%9f%92%a9",
          "%7b%7d",
          "%3Cscript%3E",
          "$%7bjndi:x%7d",
          "a%2525",
          "%e2%80%ae",
          "%ef%bf%bf",
          "@@",
          "x@v99999999999",
          "x@v0",
          "x@v-1",
          "x@");

  static Stream<String> hostile() {
    return HOSTILE.stream();
  }

  @ParameterizedTest
  @MethodSource("hostile")
  void a_hostile_path_segment_is_400_or_404_with_a_problem_document(String segment) {
    assertAll(
        Stream.of(
                "/" + segment,
                "/api/" + segment,
                "/api/orgs/" + segment,
                "/api/orgs/" + segment + "/repos",
                "/api/repos/" + segment + "/x/head",
                "/api/repos/demo/" + segment + "/head",
                "/api/repos/demo/world/" + segment,
                "/api/repos/demo/world/things/" + segment,
                "/api/repos/demo/world/things/Country/" + segment,
                "/api/repos/demo/world/about/Country/" + segment,
                "/api/repos/demo/world/resolve/Country%2F" + segment,
                "/api/repos/demo/world/shapes/" + segment,
                "/api/repos/demo/world/commits/" + segment)
            .map(target -> () -> refused(target, RawHttp.get(target), 400, 404)));
  }

  @ParameterizedTest
  @MethodSource("hostile")
  void a_hostile_member_address_is_400_or_404_with_a_problem_document(String segment) {
    var org = Api.newOrg();
    var target = "/api/orgs/" + org + "/members/" + segment;
    var bearer = "Authorization: Bearer " + Api.adminToken();
    refused(target, RawHttp.send("DELETE " + target, "", bearer), 400, 404);
  }

  @ParameterizedTest
  @MethodSource("hostile")
  void a_hostile_query_parameter_is_no_fault(String value) {
    assertAll(
        Stream.of("shape", "kind", "about", "match", "limit", "cursor", "includeInactive", value)
            .map(name -> "/api/repos/demo/world/query?" + name + "=" + value)
            .map(
                target ->
                    () -> {
                      var answer = RawHttp.get(target);
                      if (answer.status() != 200) {
                        refused(target, answer, 400);
                      }
                    }));
  }

  @Test
  void dots_and_semicolons_lead_out_of_no_repository() {
    var hidden = Api.newRepository("private").substring("/api/repos/".length());
    refused("matrix", RawHttp.get("/api/repos/" + hidden + ";x=1/head"), 404);
    assertAll(
        Stream.of(
                "/api/repos/demo/world/..;/..;/whoami",
                "/api/repos/demo/world/%2e%2e/secret/head",
                "/api/repos/demo/world/things/..;/..;/head",
                "/api/repos/demo/world/../../" + hidden + "/head",
                "/api/repos/demo/world/%2e%2e/%2E%2E/" + hidden + "/head",
                "/api/repos/demo;x=/../" + hidden + "/head",
                "/..;/q/health",
                "//q/../../etc/passwd",
                "/api/repos//world/head",
                "/api/repos/demo/world/things/")
            .map(target -> () -> refused(target, RawHttp.get(target), 400)));
  }

  @Test
  void a_path_up_to_the_limit_is_looked_up_and_one_beyond_is_414() {
    var longest = "/api/" + "a".repeat(RequestLimits.MAX_URI - 5);
    refused("longest", RawHttp.get(longest), 404);
    var answer = RawHttp.get(longest + "a");
    refused("beyond", answer, 414);
    assertTrue(answer.body().contains("\"URI_TOO_LONG\""), answer.body());
    refused("far beyond", RawHttp.get(longest + "a".repeat(200_000)), 414);
    var query = "/api/whoami?" + "a".repeat(RequestLimits.MAX_URI);
    refused("query", RawHttp.get(query), 414);
  }

  @Test
  void a_request_without_a_host_is_answered() {
    assertEquals(303, RawHttp.oldest("GET /device").status());
    assertEquals(200, RawHttp.oldest("GET /oauth/sign-in").status());
    var metadata = RawHttp.oldest("GET /.well-known/oauth-authorization-server");
    assertTrue(metadata.body().contains("\"issuer\":\"http:\\/\\/127.0.0.1:"), metadata.toString());
  }

  @Test
  void strange_methods_are_refused_with_a_problem_document() {
    for (var method : List.of("TRACE", "CONNECT", "FOO", "PROPFIND")) {
      var answer = RawHttp.send(method + " /api/whoami", "");
      refused(method, answer, 400, 404, 405);
    }
  }

  @Test
  void a_line_break_in_a_path_adds_no_header() {
    var answer = RawHttp.get("/api/repos/x/y%0d%0aX-Injected:%201/head");
    assertFalse(answer.headers().containsKey("x-injected"));
    refused("line break", answer, 400, 404);
  }

  static void refused(String target, RawHttp.Answer answer, int... statuses) {
    var said = target + " -> " + answer;
    boolean expected = false;
    for (int status : statuses) {
      expected |= status == answer.status();
    }
    assertTrue(expected, said);
    assertEquals("application/problem+json", answer.header("content-type"), said);
    assertTrue(answer.body().contains("\"status\":" + answer.status()), said);
    ErrorsTest.assertNothingLeaks(answer.body());
  }
}
