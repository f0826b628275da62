package dev.cairn.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Database;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Actions, Workers: what the database notifies of. */
@HttpTest
@QuarkusTest
@InProcess("It has a listener of its own.")
class NotifyListenerTest {
  private static final String CHANNEL = "cairn_listener_test";

  @Inject CairnConfig config;
  @Inject Database database;

  private void send(String payload) {
    database.list("select pg_notify(?, ?)", _ -> true, CHANNEL, payload);
  }

  @Test
  void a_malformed_notification_is_skipped_and_the_next_one_is_received() throws Exception {
    var received = new LinkedBlockingQueue<UUID>();
    var connected = new CountDownLatch(1);
    try (var _ =
        new NotifyListener(
            config,
            CHANNEL,
            payload -> received.add(UUID.fromString(payload)),
            connected::countDown)) {
      assertTrue(connected.await(30, TimeUnit.SECONDS));
      var id = UUID.randomUUID();
      send("no id");
      send("");
      send(id.toString());
      var first = received.poll(30, TimeUnit.SECONDS);
      assertNotNull(first, "the listener has ended");
      assertEquals(id, first);
    }
  }
}
