package dev.cairn.action;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.Prepared;
import dev.cairn.Uncommon;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Operation, Traces: the spans that are sent to an endpoint, and what is not in them. */
@HttpTest
@QuarkusTest
@TestProfile(Uncommon.class)
class SpansTest extends OneHook {
  private static final String CALLER = "00f067aa0ba902b7";
  private static final String SECRET = "nobody-is-to-know";

  /** Where the collector gives back what it got; set by it. */
  String collected;

  private static String newTrace() {
    return UUID.randomUUID().toString().replace("-", "");
  }

  private static RequestSpecification in(String trace, RequestSpecification request) {
    return request.header("traceparent", "00-" + trace + "-" + CALLER + "-01");
  }

  private ExportTraceServiceRequest collected() {
    try (var answer = URI.create(collected).toURL().openStream()) {
      return ExportTraceServiceRequest.parseFrom(answer);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private List<Span> spans(String trace) {
    return collected().getResourceSpansList().stream()
        .flatMap(resource -> resource.getScopeSpansList().stream())
        .flatMap(scope -> scope.getSpansList().stream())
        .filter(span -> hex(span.getTraceId().toByteArray()).equals(trace))
        .toList();
  }

  private static String hex(byte[] id) {
    return HexFormat.of().formatHex(id);
  }

  /** All spans of a trace, once there are that many. */
  private List<Span> awaitSpans(String trace, int count) {
    return Eventually.poll(
        Duration.ofSeconds(20),
        () -> "%d spans of %s are in %s".formatted(count, trace, collected()),
        () -> spans(trace),
        spans -> spans.size() >= count);
  }

  private Span onlySpan(String trace) {
    var spans = awaitSpans(trace, 1);
    assertEquals(1, spans.size(), spans::toString);
    return spans.getFirst();
  }

  private static Map<String, String> attributes(Span span) {
    return span.getAttributesList().stream()
        .collect(
            Collectors.toMap(
                attribute -> attribute.getKey(),
                attribute ->
                    attribute.getValue().hasIntValue()
                        ? Long.toString(attribute.getValue().getIntValue())
                        : attribute.getValue().getStringValue()));
  }

  @Test
  void a_request_has_a_span_in_its_callers_trace_with_the_template_of_its_path_alone() {
    var trace = newTrace();
    in(trace, admin()).get(repository + "/things/Sensor/" + SECRET + "?version=7");
    var span = onlySpan(trace);
    assertEquals("GET /api/repos/{org}/{repo}/things/{wref}", span.getName());
    assertEquals(Span.SpanKind.SPAN_KIND_SERVER, span.getKind());
    assertEquals(CALLER, hex(span.getParentSpanId().toByteArray()));
    assertEquals(
        Map.of(
            "http.request.method", "GET",
            "http.route", "/api/repos/{org}/{repo}/things/{wref}",
            "http.response.status_code", "404"),
        attributes(span));
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /api/repos/{repo}/head?match=X, /api/repos/{org}/{repo}/head",
    "GET, /api/repos/{repo}/about/Shape/X, /api/repos/{org}/{repo}/about/{wref}",
    "GET, /api/repos/{repo}/resolve/Shape%2FX, /api/repos/{org}/{repo}/resolve/{wref}",
    "GET, /api/repos/{repo}/things/a;X/b?version=X, /api/repos/{org}/{repo}/things/{wref}",
    "GET, /api/repos/{repo}/export?token=X, /api/repos/{org}/{repo}/export",
    "GET, /api/exports/X/content?expires=1&signature=X, /api/exports/{exportId}/content",
    "POST, /api/action-runs/X/callback?token=X, /api/action-runs/{runId}/callback",
    "POST, /mcp/{repo}?token=X, /mcp/{org}/{repo}",
    "GET, /oauth/authorize?state=X, /oauth/authorize",
    "GET, /X?token=X, /unmatched"
  })
  void nothing_that_a_uri_or_a_header_holds_is_sent(String method, String path, String template) {
    var trace = newTrace();
    var name = repository.substring("/api/repos/".length());
    in(trace, anonymous())
        .header("User-Agent", SECRET)
        .header("X-Forwarded-For", SECRET)
        .header("baggage", "user=" + SECRET)
        .urlEncodingEnabled(false)
        .redirects()
        .follow(false)
        .request(method, path.replace("X", SECRET).replace("{repo}", name));
    assertEquals(method + " " + template, onlySpan(trace).getName());
    var all = collected().toString();
    assertFalse(all.contains(SECRET), all);
    assertFalse(all.contains(name.split("/", -1)[0]), all);
  }

  @Test
  void a_token_is_not_sent() {
    var trace = newTrace();
    in(trace, as(SECRET)).get(repository + "/head").then().statusCode(401);
    assertEquals("GET /unmatched", onlySpan(trace).getName());
    assertFalse(collected().toString().contains(SECRET));
  }

  @Test
  void a_word_of_the_callers_own_in_the_place_of_the_method_is_not_sent() {
    var trace = newTrace();
    in(trace, anonymous()).request("WHISPER", "/api/whoami");
    var span = onlySpan(trace);
    assertEquals("_OTHER", attributes(span).get("http.request.method"));
    assertFalse(span.toString().contains("WHISPER"), span::toString);
  }

  @Test
  void a_client_that_disconnects_during_an_answer_leaves_a_span_that_says_so() throws IOException {
    var repository = Api.newRepository("private");
    Prepared.commit(
        repository, "{'operation':'add','kind':'shape','name':'S','data':{'fields':{}}}");
    // One by one: there is little room for requests that arrive.
    var data = "{'text':'" + "x".repeat(1_000_000) + "'}";
    for (int i = 0; i < 8; i++) {
      Prepared.commit(repository, "{'operation':'add','name':'S/" + i + "','data':" + data + "}");
    }
    var trace = newTrace();
    try (var socket = new Socket()) {
      socket.setReceiveBufferSize(4 * 1024);
      socket.setSoTimeout(20_000);
      socket.connect(new InetSocketAddress("localhost", RestAssured.port));
      var head =
          """
          GET %s/export HTTP/1.1\r
          Host: localhost\r
          Authorization: Bearer %s\r
          traceparent: 00-%s-%s-01\r
          \r
          """
              .formatted(repository, Api.adminToken(), trace, CALLER);
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      assertEquals('H', socket.getInputStream().read());
    }
    var span = onlySpan(trace);
    assertEquals("200", attributes(span).get("http.response.status_code"));
    assertEquals("disconnected", attributes(span).get("error.type"));
    assertEquals(Status.StatusCode.STATUS_CODE_ERROR, span.getStatus().getCode());
  }

  @Test
  void probes_and_metrics_have_no_spans() {
    var trace = newTrace();
    for (var path : List.of("/q/health/live", "/q/health/ready", "/q/metrics", "/q/openapi")) {
      in(trace, anonymous()).get(path);
    }
    in(trace, anonymous()).get("/api/whoami");
    assertEquals("GET /api/whoami", onlySpan(trace).getName());
  }

  @Test
  void a_caller_whose_own_trace_is_not_kept_has_no_span() {
    var dropped = newTrace();
    anonymous()
        .header("traceparent", "00-" + dropped + "-" + CALLER + "-00")
        .get("/api/whoami")
        .then()
        .statusCode(200);
    var kept = newTrace();
    in(kept, anonymous()).get("/api/whoami");
    onlySpan(kept);
    assertEquals(List.of(), spans(dropped));
  }

  @Test
  void an_attempt_has_the_span_that_its_receiver_is_told_of() {
    deliver();
    var parts = receiver.only().header("traceparent").split("-", -1);
    var span = onlySpan(parts[1]);
    assertEquals(parts[2], hex(span.getSpanId().toByteArray()));
    assertEquals(receiver.only().json().at("/data/traceId").textValue().replace("-", ""), parts[1]);
    assertEquals("attempt webhook", span.getName());
    assertEquals(Span.SpanKind.SPAN_KIND_CLIENT, span.getKind());
    assertEquals(Status.StatusCode.STATUS_CODE_UNSET, span.getStatus().getCode());
    assertEquals(
        Map.of(
            "cairn.run.id", deliveries.onlyRun(repository).toString(),
            "cairn.attempt.number", "1",
            "cairn.attempt.executor", "webhook",
            "cairn.attempt.outcome", "succeeded"),
        attributes(span));
  }

  @Test
  void each_attempt_has_a_span_of_its_own_and_one_that_failed_says_by_which_code() {
    deliver(503);
    receiver.answering(404);
    deliveries.hurry(repository);
    deliveries.run(repository);
    var calls = receiver.calls();
    var trace = calls.getFirst().header("traceparent").split("-", -1)[1];
    var spans = awaitSpans(trace, 2);
    assertEquals(
        calls.stream().map(call -> call.header("traceparent").split("-", -1)[2]).toList(),
        spans.stream().map(span -> hex(span.getSpanId().toByteArray())).toList());
    assertEquals(
        List.of("1 failed HTTP_503", "2 failed_terminal HTTP_404"),
        spans.stream()
            .map(SpansTest::attributes)
            .map(
                has ->
                    "%s %s %s"
                        .formatted(
                            has.get("cairn.attempt.number"),
                            has.get("cairn.attempt.outcome"),
                            has.get("error.type")))
            .toList());
    assertEquals(Status.StatusCode.STATUS_CODE_ERROR, spans.getFirst().getStatus().getCode());
  }

  @Test
  void a_callers_trace_has_the_span_of_its_request_and_not_that_of_the_run() {
    var trace = newTrace();
    in(trace, admin())
        .body("{\"operations\":[{\"operation\":\"add\",\"name\":\"Sensor/t\",\"data\":{}}]}")
        .post(repository + "/commits")
        .then()
        .statusCode(201);
    deliveries.run(repository);
    var run = receiver.only().header("traceparent").split("-", -1)[1];
    assertNotEquals(trace, run);
    onlySpan(run);
    assertEquals("POST /api/repos/{org}/{repo}/commits", onlySpan(trace).getName());
  }

  @Test
  void the_service_names_itself() {
    var trace = newTrace();
    in(trace, anonymous()).get("/api/whoami");
    onlySpan(trace);
    assertEquals(
        List.of("cairn"),
        collected().getResourceSpans(0).getResource().getAttributesList().stream()
            .filter(attribute -> attribute.getKey().equals("service.name"))
            .map(attribute -> attribute.getValue().getStringValue())
            .toList());
  }
}
