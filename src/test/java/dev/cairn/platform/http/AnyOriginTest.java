package dev.cairn.platform.http;

import static dev.cairn.Api.anonymous;

import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Limited;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import org.junit.jupiter.api.Test;

/** MCP, Transport, where {@code cairn.cors.origins} is {@code *}. */
@HttpTest
@QuarkusTest
@TestProfile(Limited.class)
@InProcess("It has settings of its own.")
class AnyOriginTest {
  private static final String ORIGIN = "https://app.example.org";

  @Test
  void mcp_answers_it_too() {
    anonymous()
        .header("Origin", ORIGIN)
        .header("Accept", "application/json, text/event-stream")
        .body(
            """
            {"jsonrpc":"2.0","id":1,"method":"tools/call",
             "params":{"name":"whoami","arguments":{}}}
            """)
        .post("/mcp")
        .then()
        .statusCode(200)
        .header("Access-Control-Allow-Origin", "*");
  }
}
