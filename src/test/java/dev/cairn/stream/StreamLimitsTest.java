package dev.cairn.stream;

import static dev.cairn.stream.Streams.add;
import static dev.cairn.stream.Streams.lines;
import static dev.cairn.stream.Streams.repository;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Uncommon;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** docs/streams.md, Slow clients and Limits: with eight places, and three seconds for a line. */
@HttpTest
@QuarkusTest
@TestProfile(Uncommon.class)
class StreamLimitsTest {
  private static final int OF_ACCOUNT = 2;

  private static String path(String repository, String stream) {
    return repository + "/streams/" + stream + "/submissions";
  }

  private static Streams.Answer submit(String token, String path) {
    return Streams.exchange(
        Streams.request(path)
            .setHeader("Authorization", "Bearer " + token)
            .POST(HttpRequest.BodyPublishers.ofString(lines(add("x"))))
            .build());
  }

  @Test
  void a_client_that_sends_no_whole_line_in_time_is_told_so_and_nothing_atomic_remains()
      throws IOException {
    var repository = repository();
    try (var open = OpenSubmission.to(repository, "")) {
      open.send(add("a"));
      open.line();
      open.sendText("{\"operation\":");
      var rest = open.rest();
      assertEquals("UNAVAILABLE", rest.getFirst().at("/error/code").asText());
      assertEquals(1, rest.getLast().at("/summary/applied").asInt());
      assertTrue(rest.getLast().at("/summary/partial").asBoolean());
    }
    try (var open = OpenSubmission.as(Api.adminToken(), path(repository, "t") + "?atomic=true")) {
      open.send(add("b"));
      assertEquals(503, open.status());
    }
    Api.admin().get(repository + "/things/S/b").then().statusCode(404);
  }

  @Test
  void an_account_has_a_quarter_of_the_places_and_others_theirs() throws IOException {
    var repository = repository();
    var open = new ArrayList<OpenSubmission>();
    try {
      for (int i = 0; i < OF_ACCOUNT; i++) {
        var one = OpenSubmission.as(Api.adminToken(), path(repository, "s" + i));
        open.add(one.send(add("t" + i)));
        one.line();
      }
      var refused = submit(Api.adminToken(), path(repository, "more"));
      assertEquals(429, refused.status());
      assertTrue(refused.response().headers().firstValue("Retry-After").isPresent());
      var org = repository.split("/", -1)[3];
      var other = People.member(org, "editor");
      assertEquals(200, submit(other.token(), path(repository, "other")).status());
    } finally {
      for (var one : open) {
        one.close();
      }
    }
  }
}
