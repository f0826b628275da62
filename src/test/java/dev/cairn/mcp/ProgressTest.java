package dev.cairn.mcp;

import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MCP, Tools: who asked for progress hears of it while a call waits. */
@QuarkusTest
@HttpTest
class ProgressTest {
  @TestHTTPResource("/")
  URI base;

  private final ObjectMapper json = new ObjectMapper();

  @ParameterizedTest
  @ValueSource(strings = {Mcp.OLD, Mcp.NEW})
  void a_call_that_waits_says_so_until_it_ends(String version) throws Exception {
    var repository = Api.newRepository();
    var held = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    var holder = CompletableFuture.runAsync(() -> hold(repository, held, release));
    held.await();
    try (var client = HttpClient.newHttpClient()) {
      var response =
          client.send(
              request(version, Api.adminToken(), commit(version, repository)),
              HttpResponse.BodyHandlers.ofLines());
      assertEquals("text/event-stream", response.headers().firstValue("content-type").get());
      var events = response.body().filter(line -> line.startsWith("data: ")).iterator();
      var first = json.readTree(events.next().substring(6));
      assertEquals("notifications/progress", first.path("method").asText());
      assertEquals("p1", first.path("params").path("progressToken").asText());
      assertTrue(first.path("params").path("progress").asDouble() > 0);
      release.countDown();
      var last = first;
      while (events.hasNext()) {
        last = json.readTree(events.next().substring(6));
      }
      assertEquals(1, last.path("id").asInt());
      assertEquals(false, last.path("result").path("isError").asBoolean(true), last.toString());
    } finally {
      release.countDown();
      holder.join();
    }
  }

  @Test
  void messages_that_have_waited_are_not_carried_out_once_the_token_is_revoked() throws Exception {
    var repository = Api.newRepository();
    var name = Api.unique("pat");
    var created =
        Api.admin().body(Map.of("name", name)).post("/api/pats").then().statusCode(201).extract();
    var held = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    var holder = CompletableFuture.runAsync(() -> hold(repository, held, release));
    held.await();
    try (var client = HttpClient.newHttpClient()) {
      // Whichever begins waits for the repository, and the other one for its end.
      var both =
          List.of(
              commit(Mcp.FIRST, repository, 1, "Sensor"),
              commit(Mcp.FIRST, repository, 2, "Reading"));
      var response =
          client.send(
              request(Mcp.FIRST, created.path("token"), both), HttpResponse.BodyHandlers.ofLines());
      var lines = response.body().iterator();
      var answer = new StringBuilder();
      // A notification comes a second after a call has begun. Less than a second counts as having
      // arrived with the request.
      while (answer.indexOf("notifications/progress") < 0) {
        answer.append(lines.next());
      }
      Api.admin().delete("/api/pats/" + name).then().statusCode(200);
      release.countDown();
      lines.forEachRemaining(answer::append);
      assertTrue(answer.toString().contains("this message was not carried out"), answer.toString());
      Api.admin().get(repository + "/count").then().body("count", equalTo(0));
    } finally {
      release.countDown();
      holder.join();
    }
  }

  /** Has the repository's turn to commit until it is released. */
  private void hold(String repository, CountDownLatch held, CountDownLatch release) {
    try (var connection = OwnConnections.dataSource().getConnection();
        var statement =
            connection.prepareStatement(
                "select from repository_head where repo_id = ? for update")) {
      connection.setAutoCommit(false);
      statement.setObject(1, Api.repoId(repository));
      statement.execute();
      held.countDown();
      release.await();
      connection.rollback();
    } catch (SQLException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private HttpRequest request(String version, String token, Object body) throws Exception {
    return HttpRequest.newBuilder(base.resolve("/mcp"))
        .header("Authorization", "Bearer " + token)
        .header("Content-Type", "application/json")
        .header("Accept", "application/json, text/event-stream")
        .header("MCP-Protocol-Version", version)
        .header("Mcp-Method", "tools/call")
        .header("Mcp-Name", "commit_submit")
        .POST(HttpRequest.BodyPublishers.ofString(json.writeValueAsString(body)))
        .build();
  }

  private static Map<String, Object> message(
      int id, String tool, Map<String, ?> arguments, Map<String, ?> meta) {
    var params = Map.of("name", tool, "arguments", arguments, "_meta", meta);
    return Map.of("jsonrpc", "2.0", "id", id, "method", "tools/call", "params", params);
  }

  private static Map<String, Object> commit(String version, String repository) {
    return commit(version, repository, 1, "Sensor");
  }

  /** A call that says how it stands. */
  private static Map<String, Object> commit(
      String version, String repository, int id, String shape) {
    var meta = new LinkedHashMap<String, Object>();
    meta.put("progressToken", "p" + id);
    if (version.equals(Mcp.NEW)) {
      meta.put("io.modelcontextprotocol/protocolVersion", version);
      meta.put("io.modelcontextprotocol/clientCapabilities", Map.of());
    }
    var arguments =
        ToolsTest.with(
            ToolsTest.in(repository),
            "operations",
            List.of(
                Map.of(
                    "operation",
                    "add",
                    "name",
                    shape,
                    "data",
                    Map.of("fields", Map.of("n", "number")))));
    return message(id, "commit_submit", arguments, meta);
  }
}
