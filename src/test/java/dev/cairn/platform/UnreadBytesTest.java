package dev.cairn.platform;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

/** Operation: what clients do not read. A channel keeps what is written until it is flushed. */
class UnreadBytesTest {
  private static final int MOST = 100;

  private final UnreadBytes unread = new UnreadBytes(MOST);

  private EmbeddedChannel client() {
    return new EmbeddedChannel(unread.ofConnection());
  }

  private static void send(EmbeddedChannel client, int bytes) {
    var _ = client.write(Unpooled.wrappedBuffer(new byte[bytes]));
    client.runPendingTasks();
  }

  @Test
  void what_is_taken_does_not_count() {
    var client = client();
    for (int i = 0; i < 10; i++) {
      send(client, MOST);
      assertEquals(MOST, unread.all());
      client.flush();
      assertEquals(0, unread.all());
    }
    assertTrue(client.isOpen());
  }

  @Test
  void who_leaves_most_is_disconnected_when_all_leave_too_much() {
    var small = client();
    var large = client();
    var last = client();
    send(small, 20);
    for (int i = 0; i < 7; i++) {
      send(large, 10);
    }
    send(last, 10);
    assertTrue(large.isOpen(), "all together left no more than they may");

    send(last, 1);

    large.runPendingTasks();
    assertFalse(large.isOpen());
    assertTrue(small.isOpen());
    assertTrue(last.isOpen());
    assertEquals(31, unread.all());
  }

  @Test
  void who_asks_for_too_much_alone_is_disconnected_and_leaves_nothing() {
    var client = client();
    var other = client();
    send(other, 10);
    send(client, 60);
    send(client, 60);
    client.runPendingTasks();
    assertFalse(client.isOpen());
    assertEquals(10, unread.all());
    send(other, 90);
    assertTrue(other.isOpen());
  }
}
