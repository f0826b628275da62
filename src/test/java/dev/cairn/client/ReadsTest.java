package dev.cairn.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** docs/client.md: lists, paths, problems. */
class ReadsTest {
  private final ScriptedServer server = new ScriptedServer();
  private final CairnClient client = server.client().build();
  private final RepositoryClient repository = client.repository("org", "repo");

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  private static String page(String cursor, String... names) {
    var items = new StringBuilder();
    for (var name : names) {
      items
          .append(items.isEmpty() ? "" : ",")
          .append(
              """
              {"wref":"S/%s","name":"%s","shapeName":"S","kind":"thing","version":1,"data":{}}\
              """
                  .formatted(name, name));
    }
    return "{\"items\":["
        + items
        + "]"
        + (cursor == null ? "" : ",\"nextCursor\":\"" + cursor + "\"")
        + "}";
  }

  @Test
  void a_list_follows_the_cursors_past_pages_without_items() {
    server.then(200, page("c1", "a", "b")).then(200, page("c2")).then(200, page(null, "c"));
    var names = repository.query(Query.of("S").where("x:eq:1").where("y:eq:2")).map(Item::name);
    assertEquals(List.of("a", "b", "c"), names.toList());
    assertEquals(
        List.of(
            "GET /api/repos/org/repo/query?shape=S&where=x%3Aeq%3A1&where=y%3Aeq%3A2&limit=500",
            "GET /api/repos/org/repo/query?shape=S&where=x%3Aeq%3A1&where=y%3Aeq%3A2&limit=500"
                + "&cursor=c1",
            "GET /api/repos/org/repo/query?shape=S&where=x%3Aeq%3A1&where=y%3Aeq%3A2&limit=500"
                + "&cursor=c2"),
        server.routes());
  }

  @Test
  void a_page_is_only_read_when_its_items_are_needed() {
    server.then(200, page("c1", "a", "b"));
    var stream = repository.head(Query.all());
    assertEquals(0, server.requests().size());
    assertEquals(List.of("a", "b"), stream.limit(2).map(Item::name).toList());
    assertEquals(1, server.requests().size());
  }

  @Test
  void a_query_with_a_size_and_a_cursor_begins_there() {
    server.then(200, page("c2", "a")).then(200, page(null, "b"));
    assertEquals(2, repository.head(Query.all().limit(1).cursor("c1")).count());
    assertEquals(
        List.of(
            "GET /api/repos/org/repo/head?limit=1&cursor=c1",
            "GET /api/repos/org/repo/head?limit=1&cursor=c2"),
        server.routes());
  }

  @Test
  void a_list_that_is_an_array_follows_the_link_to_the_next_page() {
    server
        .then(
            200,
            """
            [{"name":"a","createdAt":1,"expiresAt":2}]\
            """,
            "Link",
            "</api/pats?limit=500&cursor=Ab_-9>; rel=\"next\"")
        .then(200, "[]");
    assertEquals(1, client.account().listTokens().count());
    assertEquals("GET /api/pats?limit=500&cursor=Ab_-9", server.routes().getLast());
  }

  @Test
  void a_failure_on_a_later_page_is_thrown_by_the_stream() {
    server.then(200, page("c1", "a")).thenProblem(403, "FORBIDDEN");
    var items = repository.query(Query.all()).iterator();
    assertEquals("a", items.next().name());
    assertThrows(CairnException.class, items::hasNext);
  }

  @Test
  void names_are_encoded_as_paths_must_be() {
    for (int i = 0; i < 3; i++) {
      server.thenProblem(404, "NOT_FOUND");
    }
    assertThrows(
        CairnException.class, () -> repository.getThing("Ort/Köln & Bonn/a+b;c?d#e%2F~@v2"));
    assertThrows(CairnException.class, () -> client.repository("a/../b", "c").describe());
    assertThrows(CairnException.class, () -> repository.getShape("😀"));
    assertEquals(
        List.of(
            "GET /api/repos/org/repo/things/Ort/K%C3%B6ln%20%26%20Bonn/a%2Bb%3Bc%3Fd%23e%252F~%40v2",
            "GET /api/repos/a%2F..%2Fb/c/describe", "GET /api/repos/org/repo/shapes/%F0%9F%98%80"),
        server.routes());
  }

  @Test
  void a_problem_document_becomes_an_exception_with_all_of_it() {
    server.then(
        400,
        """
        {"type":"urn:cairn:error:SHAPE_MISMATCH","title":"The data does not match its shape",
         "status":400,"detail":"Expected a number.","code":"SHAPE_MISMATCH",
         "errors":[{"pointer":"/operations/0/data/x","detail":"Expected a number."}],
         "details":{"shape":"S","opIndex":0},"hint":"Send a number."}\
        """);
    var refused = assertThrows(CairnException.class, () -> repository.count(Query.all()));
    assertEquals(ErrorCode.SHAPE_MISMATCH, refused.code());
    assertEquals(400, refused.status());
    assertEquals("/operations/0/data/x", refused.errors().getFirst().pointer());
    assertEquals("S", refused.details().path("shape").asText());
    assertEquals("Send a number.", refused.hint().orElseThrow());
    assertTrue(refused.getMessage().contains("GET /api/repos/org/repo/count: Expected a number."));
  }

  @Test
  void errors_of_oauth_and_of_proxies_become_exceptions_too() {
    server
        .then(
            400,
            """
            {"error":"authorization_pending","error_description":"Not yet."}\
            """)
        .then(502, "<html>Bad Gateway</html>")
        .then(500, "");
    var pending = assertThrows(CairnException.class, repository::describe);
    assertEquals("authorization_pending", pending.code());
    assertEquals("Not yet.", pending.detail());
    assertEquals(400, pending.status());
    for (int status : new int[] {502, 500}) {
      var failure = assertThrows(CairnException.class, repository::describe);
      assertEquals(ErrorCode.UNEXPECTED_ANSWER, failure.code());
      assertEquals(status, failure.status());
      assertTrue(failure.details().isMissingNode() && failure.errors().isEmpty());
    }
  }

  @Test
  void compressed_answers_and_problems_are_read() throws IOException {
    var compressed = gzip("{\"count\":7}");
    server.then(
        exchange -> {
          exchange.getResponseHeaders().add("Content-Encoding", "gzip");
          exchange.sendResponseHeaders(200, compressed.length);
          exchange.getResponseBody().write(compressed);
        });
    var problem =
        gzip(
            """
            {"type":"t","title":"t","status":404,"code":"NOT_FOUND","detail":"None."}\
            """);
    server.then(
        exchange -> {
          exchange.getResponseHeaders().add("Content-Encoding", "gzip");
          exchange.sendResponseHeaders(404, problem.length);
          exchange.getResponseBody().write(problem);
        });
    assertEquals(7, repository.count(Query.all()).count());
    assertEquals("gzip", server.requests().getFirst().header("Accept-Encoding"));
    var refused = assertThrows(CairnException.class, () -> repository.count(Query.all()));
    assertEquals(ErrorCode.NOT_FOUND, refused.code());
  }

  @Test
  void an_answer_of_more_than_64_mib_is_not_taken() throws IOException {
    var bomb = gzip("[" + " ".repeat(64 * 1024 * 1024) + "]");
    server.then(
        exchange -> {
          exchange.getResponseHeaders().add("Content-Encoding", "gzip");
          exchange.sendResponseHeaders(200, bomb.length);
          exchange.getResponseBody().write(bomb);
        });
    var failure =
        assertThrows(ServerNotReachedException.class, () -> repository.count(Query.all()));
    assertTrue(failure.getMessage().contains("67108864 bytes"), failure::getMessage);
  }

  private static byte[] gzip(String text) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  @Test
  void operations_are_written_with_the_members_that_they_have() throws IOException {
    var data = JsonNodeFactory.instance.objectNode().put("x", 1).putNull("y");
    var request =
        CommitRequest.of(
                Add.of("S/a", data, new About.Wref("$0")).orSkip(),
                Add.of("S/b", data, InlineCollection.pairOf("S/a", "S/c")),
                Add.collection("set", List.of("S/a")),
                Revise.patch("S/a", data).expecting(2),
                Revise.restore("S/a"),
                Retract.of("S/a").withOpId("7"),
                Rename.of("S/a", "b"))
            .asFarAsPossible()
            .asDryRun();
    var json = Json.mapper().writeValueAsString(request);
    assertEquals(
        """
        {"operations":[\
        {"operation":"add","name":"S/a","data":{"x":1,"y":null},"about":"$0","skipExisting":true},\
        {"operation":"add","name":"S/b","data":{"x":1,"y":null},"about":{"pair":["S/a","S/c"]}},\
        {"operation":"add","type":"set","members":["S/a"]},\
        {"operation":"revise","name":"S/a","patch":{"x":1,"y":null},"expectedVersion":2},\
        {"operation":"revise","name":"S/a","active":true},\
        {"operation":"retract","name":"S/a","opId":"7"},\
        {"operation":"rename","name":"S/a","newName":"b"}],"atomic":false,"dryRun":true}\
        """,
        json);
    assertEquals(request, Json.mapper().readValue(json, CommitRequest.class));
  }

  @Test
  void results_of_operations_are_read_as_their_variants() throws IOException {
    var answer =
        Json.mapper()
            .readValue(
                """
                {"operationCount":3,"partial":true,"operations":[
                  {"opIndex":0,"status":"applied","operation":"add","wref":"S/a","version":1},
                  {"opIndex":1,"status":"noop","operation":"noop","wref":"S/b"},
                  {"opIndex":2,"status":"error","operation":"add",
                   "error":{"code":"ALREADY_EXISTS","detail":"d"}}]}\
                """,
                CommitAnswer.class);
    var told =
        answer.operations().stream()
            .map(
                result ->
                    switch (result) {
                      case OperationResult.Applied applied -> "applied " + applied.wref();
                      case OperationResult.Noop noop -> "noop " + noop.wref();
                      case OperationResult.Failed failed -> failed.error().code();
                    })
            .toList();
    assertEquals(List.of("applied S/a", "noop S/b", "ALREADY_EXISTS"), told);
    assertNull(answer.commitId());
  }

  @Test
  void a_server_must_be_an_http_url_without_a_user_a_query_or_a_fragment() {
    for (var wrong :
        List.of(
            "cairn.example.org",
            "ftp://cairn.example.org",
            "https://user:password@cairn.example.org",
            "https://cairn.example.org?x=1",
            "https://cairn.example.org#x",
            "https:///x")) {
      var refused =
          assertThrows(
              IllegalArgumentException.class, () -> CairnClient.builder(URI.create(wrong)));
      assertTrue(refused.getMessage().contains("https://cairn.example.org."), wrong);
    }
  }

  @Test
  void a_server_may_have_a_path() {
    server.then(200, "{\"count\":1}");
    try (var below = CairnClient.builder(URI.create(server.uri() + "/cairn//")).build()) {
      below.repository("o", "r").count(Query.all());
    }
    assertEquals(List.of("GET /cairn/api/repos/o/r/count"), server.routes());
  }
}
