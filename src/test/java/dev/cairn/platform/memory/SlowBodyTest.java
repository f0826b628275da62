package dev.cairn.platform.memory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Wire;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** docs/limits.md, Slow requests: a body that stops is ended, wherever it is sent to. */
@HttpTest
@QuarkusTest
@InProcess("It waits for half a minute, and once is enough.")
class SlowBodyTest {
  @Test
  void a_body_that_stops_is_refused_once_it_is_too_slow() throws IOException {
    var repository = Api.newRepository();
    var wires = new ArrayList<Wire>();
    try {
      for (var path :
          List.of(
              repository + "/commits",
              repository + "/things/batch",
              "/mcp",
              "/api/auth/login",
              "/api/pats")) {
        var wire = new Wire(RestAssured.port, Api.adminToken());
        wires.add(wire);
        wire.head("POST", path, 100, "Accept: application/json, text/event-stream");
        wire.send("{\"a\":".getBytes(UTF_8), 0, 5);
      }
      for (var wire : wires) {
        var answer = wire.answer();
        assertEquals(400, answer.status());
        assertTrue(answer.text().contains("The body arrived too slowly"), answer.text());
      }
    } finally {
      wires.forEach(Wire::close);
    }
  }
}
