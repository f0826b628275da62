package dev.cairn.live;

import static dev.cairn.Api.adminToken;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.Metrics;
import dev.cairn.Uncommon;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * docs/live.md, Limits: parts of messages, for which there is room of 2 MiB for strangers here, and
 * 2 MiB more for accounts.
 */
@HttpTest
@QuarkusTest
@TestProfile(Uncommon.class)
class SocketMemoryTest {
  private static final int PART = 60_000;
  private static final int CLIENTS = 60;

  private final List<RawSocket> flood = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    for (var socket : flood) {
      socket.close();
    }
  }

  private static byte[] part() {
    var part = new byte[PART];
    Arrays.fill(part, (byte) ' ');
    return part;
  }

  @Test
  void a_stranger_with_many_parts_of_messages_is_refused_and_nobody_else() throws IOException {
    var repository = Api.repositoryOf(1, 10);
    for (int i = 0; i < CLIENTS; i++) {
      flood.add(new RawSocket(Events.ticket(null, repository)));
      flood.getLast().sendPart(RawSocket.TEXT, part());
    }
    var refused = new ArrayList<RawSocket>();
    Eventually.await(
        "most of the flood is refused",
        () -> {
          for (var socket : flood) {
            if (!refused.contains(socket) && socket.hasInput()) {
              var frame = socket.next();
              assertEquals(RawSocket.CLOSE, frame.type());
              assertEquals(1013, frame.code());
              refused.add(socket);
            }
          }
          return refused.size() >= CLIENTS - 2 * 1024 * 1024 / PART;
        });
    try (var other = new RawSocket(Events.ticket(adminToken(), repository))) {
      other.sendPart(RawSocket.TEXT, part());
      other.send(
          RawSocket.CONTINUATION,
          "{\"type\":\"subscribe\",\"id\":\"q\",\"query\":{}}".getBytes(StandardCharsets.UTF_8));
      assertTrue(other.nextText().contains("snapshot"));
    }
  }

  @Test
  void a_part_of_a_frame_is_counted_too() throws IOException {
    var repository = Api.repositoryOf(1, 10);
    double before = Metrics.sum("cairn_requests_arriving_bytes");
    flood.add(new RawSocket(Events.ticket(adminToken(), repository)));
    flood.getLast().write(Arrays.copyOf(RawSocket.frame(RawSocket.TEXT, part()), PART / 2));
    double counted =
        Eventually.poll(
            "it is counted",
            () -> Metrics.sum("cairn_requests_arriving_bytes") - before,
            more -> more >= PART / 2);
    assertTrue(counted < 2 * PART, counted + " bytes");
  }
}
