package dev.cairn.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.Limited;
import dev.cairn.People;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.net.http.HttpRequest;
import org.junit.jupiter.api.Test;

/** docs/streams.md, How it is applied: the rate limit of commits, of four a minute. */
@HttpTest
@QuarkusTest
@TestProfile(Limited.class)
class StreamRateTest {
  @Test
  void each_batch_counts_also_if_nothing_of_it_is_applied() throws IOException {
    var repository = Api.newRepository("private");
    Streams.switchTo(repository, true);
    var editor = People.member(repository.split("/", -1)[3], "editor");
    try (var open = OpenSubmission.as(editor.token(), Streams.path(repository, ""))) {
      for (int i = 0; i < Limited.COMMITS; i++) {
        open.send("{}");
        assertEquals("error", open.line().get("status").asText());
      }
      var refused =
          Streams.exchange(
              Streams.request(repository + "/streams/other/submissions")
                  .setHeader("Authorization", "Bearer " + editor.token())
                  .POST(HttpRequest.BodyPublishers.noBody())
                  .build());
      assertEquals(429, refused.status(), refused.text());
    }
  }
}
