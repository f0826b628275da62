package dev.cairn.live;

import static dev.cairn.Api.adminToken;
import static dev.cairn.Api.commit;
import static dev.cairn.Api.newRepository;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** docs/live.md, Event stream: comments. */
@HttpTest
@QuarkusTest
class StreamCommentTest {
  private static List<String> next(BufferedReader lines) throws IOException {
    var event = new ArrayList<String>();
    for (var line = lines.readLine(); !line.isEmpty(); line = lines.readLine()) {
      event.add(line);
    }
    return event;
  }

  @Test
  void after_15_seconds_a_comment_says_up_to_which_commit_nothing_was_to_be_told()
      throws IOException {
    var repository = newRepository();
    var uri =
        "http://localhost:%d/sse?shape=Other&ticket=%s"
            .formatted(RestAssured.port, Events.ticket(adminToken(), repository));
    long begun = System.nanoTime();
    try (var lines =
        new BufferedReader(
            new InputStreamReader(
                URI.create(uri).toURL().openStream(), StandardCharsets.US_ASCII))) {
      assertEquals(List.of("retry: 2000"), next(lines));
      assertEquals("event: ready", next(lines).getFirst());
      commit(repository, "{'operation':'add','name':'S','data':{'fields':{}}}").statusCode(201);
      assertEquals(List.of(":", "id: 1"), next(lines));
      var took = Duration.ofNanos(System.nanoTime() - begun);
      assertTrue(took.compareTo(Duration.ofSeconds(15)) >= 0, took.toString());
    }
  }
}
