package dev.cairn.live;

import static dev.cairn.Api.adminToken;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import java.io.EOFException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** docs/live.md, Live queries: a client that answers no ping. */
@HttpTest
@QuarkusTest
class SocketSilenceTest {
  @Test
  void only_a_client_that_answers_no_ping_is_disconnected() throws IOException {
    var repository = Api.repositoryOf(1, 1);
    try (var answers = LiveClient.of(adminToken(), repository);
        var silent = new RawSocket(Events.ticket(adminToken(), repository))) {
      long begin = System.nanoTime();
      assertEquals(RawSocket.PING, silent.read().type());
      assertEquals(RawSocket.PING, silent.read().type());
      assertThrows(
          EOFException.class,
          () -> {
            while (silent.read().type() == RawSocket.PING) {
              // It is asked again.
            }
          });
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
      assertTrue(seconds >= 44 && seconds < 70, seconds + " s");
      assertEquals(2, answers.snapshot("q", "{}").size());
    }
  }
}
