package dev.cairn.platform.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelProgressivePromise;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

/** Operation: what clients do not read. A channel keeps what is written until it is flushed. */
class UnreadBytesTest {
  private static final int MAX_UNREAD = 100;

  private long now;
  private final UnreadBytes unread = new UnreadBytes(MAX_UNREAD, () -> now);

  /** What takes of the next piece what the test says. */
  private static final class Taking extends ChannelOutboundHandlerAdapter {
    private ChannelProgressivePromise promise;

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise taken) {
      promise = (ChannelProgressivePromise) taken;
      var _ = context.write(message, taken);
    }
  }

  private EmbeddedChannel client(String account) {
    return client(ArrivalRoom.Owner.account(account));
  }

  private EmbeddedChannel client(ArrivalRoom.Owner owner) {
    return new EmbeddedChannel(new Taking(), unread.ofConnection(owner));
  }

  private static void send(EmbeddedChannel client, int bytes) {
    var _ = client.write(Unpooled.wrappedBuffer(new byte[bytes]));
    client.runPendingTasks();
  }

  private static void take(EmbeddedChannel client, int ofPiece, int size) {
    var _ = client.pipeline().get(Taking.class).promise.setProgress(ofPiece, size);
  }

  private static boolean isOpen(EmbeddedChannel client) {
    client.runPendingTasks();
    return client.isOpen();
  }

  @Test
  void what_is_taken_does_not_count() {
    var client = client("a");
    for (int i = 0; i < 10; i++) {
      send(client, MAX_UNREAD);
      assertEquals(MAX_UNREAD, unread.all());
      client.flush();
      assertEquals(0, unread.all());
    }
    assertTrue(client.isOpen());
  }

  @Test
  void the_client_that_took_nothing_for_longest_is_disconnected_when_all_leave_too_much() {
    var reads = client("reads");
    var oldest = client("oldest");
    var newest = client("newest");
    now++;
    send(reads, 30);
    send(oldest, 30);
    now++;
    reads.flush();
    send(reads, 30);
    now++;
    send(newest, 40);
    assertTrue(oldest.isOpen(), "all together left no more than they may");

    now++;
    send(newest, 1);

    assertFalse(isOpen(oldest));
    assertTrue(isOpen(reads));
    assertTrue(isOpen(newest));
    assertEquals(71, unread.all());
  }

  @Test
  void a_client_that_takes_parts_of_a_long_answer_is_not_the_slowest() {
    var reads = client("reads");
    send(reads, 50);
    now++;
    var stalls = client("stalls");
    send(stalls, 50);
    for (int i = 1; i <= 10; i++) {
      now++;
      take(reads, i, 50);
    }
    assertEquals(MAX_UNREAD, unread.all(), "a part that was taken in part is in memory as a whole");

    send(reads, 1);

    assertTrue(isOpen(reads));
    assertFalse(isOpen(stalls));
    reads.flush();
    assertEquals(0, unread.all());
  }

  @Test
  void repeated_requests_on_many_connections_do_not_displace_another_client() {
    var reads = client("reads");
    send(reads, 40);
    now += 2;
    for (int i = 0; i < 10; i++) {
      send(client("many"), 20);
      now++;
      take(reads, 2 * i, 40);
      now++;
    }
    assertTrue(isOpen(reads));
    assertTrue(unread.all() <= MAX_UNREAD, unread.all() + " bytes are left");
  }

  @Test
  void callers_without_credentials_displace_no_account_from_however_many_addresses() {
    var account = client("account");
    send(account, 50);
    now += 1_000;
    for (int i = 0; i < 10; i++) {
      send(client(ArrivalRoom.Owner.network("203.0.113." + i)), 20);
      now++;
    }
    assertTrue(isOpen(account), "although it has taken nothing for long");
    assertTrue(unread.all() <= MAX_UNREAD, unread.all() + " bytes are left");
  }

  @Test
  void a_part_of_a_full_room_is_freed_at_once_since_all_are_looked_at() {
    for (int i = 0; i <= MAX_UNREAD; i++) {
      send(client("a" + i), 1);
    }
    assertEquals(MAX_UNREAD - MAX_UNREAD / 32, unread.all());
  }

  @Test
  void what_is_being_closed_does_not_count_until_it_is_closed() {
    var closing = client("a");
    send(closing, 60);
    closing.pipeline().get(UnreadBytes.OfConnection.class).disconnect();
    assertEquals(0, unread.all());
    closing.runPendingTasks();
    assertEquals(0, unread.all());
    assertFalse(closing.isOpen());
  }

  @Test
  void a_client_that_alone_leaves_too_much_is_disconnected_and_leaves_nothing() {
    var client = client("a");
    var other = client("b");
    send(client, 60);
    send(client, 60);
    assertFalse(client.isOpen());
    assertEquals(0, unread.all());
    send(other, MAX_UNREAD);
    assertTrue(other.isOpen());
  }
}
