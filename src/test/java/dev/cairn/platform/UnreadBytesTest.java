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
  void who_took_nothing_for_longest_is_disconnected_when_all_leave_too_much() {
    var reads = client();
    var oldest = client();
    var newest = client();
    send(reads, 20);
    send(oldest, 30);
    reads.flush();
    send(reads, 20);
    send(newest, 50);
    assertTrue(oldest.isOpen(), "all together left no more than they may");

    send(newest, 1);

    oldest.runPendingTasks();
    assertFalse(oldest.isOpen());
    assertTrue(reads.isOpen());
    assertTrue(newest.isOpen());
    assertEquals(71, unread.all());
  }

  @Test
  void who_leaves_too_much_alone_is_disconnected_and_leaves_nothing() {
    var client = client();
    var other = client();
    send(client, 60);
    send(client, 60);
    assertFalse(client.isOpen());
    assertEquals(0, unread.all());
    send(other, MOST);
    assertTrue(other.isOpen());
  }
}
