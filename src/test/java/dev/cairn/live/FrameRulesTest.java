package dev.cairn.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.platform.memory.ArrivingMessages;
import dev.cairn.platform.memory.SmallRoom;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** docs/live.md, Live queries and Limits: what depends on time, and on what others send. */
class FrameRulesTest {
  private static final int KIB = 1024;

  private long nanos;

  /** A client of the service, on a connection whose time is stopped. */
  private final class Client implements SocketFrames.Receiver {
    final List<Runnable> waiting = new ArrayList<>();
    final EmbeddedChannel channel = new EmbeddedChannel();
    Ending ending;

    Client(ArrivingMessages room) {
      channel.freezeTime();
      channel.pipeline().addLast("handler", new ChannelInboundHandlerAdapter());
      new SocketFrames(false, room, this, () -> nanos).install(channel);
    }

    @Override
    public void received(String text, Runnable processed) {
      waiting.add(processed);
    }

    @Override
    public void ended(Ending reason) {
      ending = reason;
    }

    void sends(String text) {
      channel.writeInbound(new TextWebSocketFrame(text));
    }

    void sendsPart(int bytes) {
      channel.writeInbound(
          new TextWebSocketFrame(false, 0, Unpooled.wrappedBuffer(new byte[bytes])));
    }

    void passes(int seconds) {
      channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
      channel.runPendingTasks();
    }

    void isPinged() {
      assertInstanceOf(PingWebSocketFrame.class, channel.readOutbound());
      assertNull(channel.readOutbound());
    }

    void isClosed(int code, String reason) {
      CloseWebSocketFrame close = channel.readOutbound();
      assertEquals(code, close.statusCode());
      assertEquals(reason, close.reasonText());
      assertEquals(Ending.REFUSED, ending);
      close.release();
    }
  }

  private Client client() {
    return new Client(new SmallRoom(KIB * KIB).messages("192.0.2.1"));
  }

  @Test
  void a_ping_is_sent_every_15_seconds_and_silence_ends_the_connection_after_45() {
    var client = client();
    client.passes(14);
    assertNull(client.channel.readOutbound());
    client.passes(1);
    client.isPinged();
    client.passes(15);
    client.isPinged();
    client.passes(14);
    assertNull(client.ending);
    client.passes(1);
    assertEquals(Ending.SILENT, client.ending);
  }

  @Test
  void any_frame_shows_that_the_client_is_there() {
    var client = client();
    for (int i = 0; i < 10; i++) {
      client.passes(15);
      client.passes(15);
      client.channel.writeInbound(new PongWebSocketFrame());
    }
    assertNull(client.ending);
  }

  @Test
  void a_client_that_is_not_read_from_is_not_taken_for_silent() {
    var client = client();
    client.sends("x");
    client.passes(300);
    assertNull(client.ending);
    client.waiting.getFirst().run();
    client.passes(15);
    client.passes(15);
    assertNull(client.ending);
    client.passes(15);
    assertEquals(Ending.SILENT, client.ending);
  }

  private static void takesAll(List<ChannelPromise> unread) {
    for (var sent : unread) {
      var _ = sent.setSuccess();
    }
    unread.clear();
  }

  @Test
  void a_client_that_reads_slowly_is_not_taken_for_silent() {
    var client = client();
    var unread = new ArrayList<ChannelPromise>();
    client
        .channel
        .pipeline()
        .addFirst(
            new ChannelOutboundHandlerAdapter() {
              @Override
              public void write(ChannelHandlerContext context, Object frame, ChannelPromise sent) {
                unread.add(sent);
              }
            });
    client.passes(300);
    assertNull(client.ending);
    takesAll(unread);
    client.passes(15);
    takesAll(unread);
    client.passes(15);
    assertEquals(Ending.SILENT, client.ending);
  }

  @Test
  void two_hundred_frames_may_come_at_once_and_then_20_a_second() {
    var client = client();
    for (int i = 0; i < SocketFrames.MAX_FRAMES; i++) {
      client.sends("x");
    }
    nanos += TimeUnit.MILLISECONDS.toNanos(50);
    client.sends("x");
    assertNull(client.ending);
    client.sends("x");
    client.isClosed(1008, "too_many_messages");
    assertEquals(SocketFrames.MAX_FRAMES + 1, client.waiting.size());
  }

  @Test
  void nothing_is_read_while_a_message_waits_to_be_processed() {
    var client = client();
    assertTrue(client.channel.config().isAutoRead());
    client.sends("one");
    client.sends("two"); // read together with the first one
    client.waiting.get(0).run();
    client.channel.runPendingTasks();
    assertFalse(client.channel.config().isAutoRead());
    client.waiting.get(1).run();
    client.channel.runPendingTasks();
    assertTrue(client.channel.config().isAutoRead());
  }

  @Test
  void the_answer_to_the_end_is_read_although_a_message_waits() {
    var client = client();
    client.sends("one");
    client.channel.writeInbound(new ContinuationWebSocketFrame(true, 0b100, "two"));
    client.isClosed(1002, "protocol_error");
    assertTrue(client.channel.config().isAutoRead());
  }

  @Test
  void a_message_is_counted_from_its_first_part_until_it_is_processed() {
    var room = new SmallRoom(KIB * KIB);
    var client = new Client(room.messages("192.0.2.1"));
    client.sendsPart(10_000);
    assertTrue(room.bytes() >= 10_000, room.bytes() + " bytes");
    client.channel.writeInbound(new ContinuationWebSocketFrame(true, 0, Unpooled.EMPTY_BUFFER));
    assertTrue(room.bytes() >= 10_000, room.bytes() + " bytes");
    client.waiting.getFirst().run();
    assertEquals(0, room.bytes());
    client.sendsPart(10_000);
    var _ = client.channel.close();
    client.channel.runPendingTasks();
    assertEquals(0, room.bytes());
  }

  @Test
  void one_address_that_fills_the_room_is_refused_and_others_are_not() {
    var room = new SmallRoom(KIB * KIB);
    var flood = new ArrayList<Client>();
    for (int i = 0; i < 32; i++) {
      flood.add(new Client(room.messages("192.0.2.1")));
      flood.getLast().sendsPart(60_000);
    }
    var other = new Client(room.messages("198.51.100.1"));
    other.sendsPart(60_000);
    other.channel.writeInbound(new ContinuationWebSocketFrame(true, 0, Unpooled.EMPTY_BUFFER));
    assertEquals(1, other.waiting.size());
    flood.forEach(client -> client.channel.runPendingTasks());
    var refused = flood.stream().filter(client -> client.ending != null).toList();
    assertFalse(refused.isEmpty());
    refused.forEach(client -> client.isClosed(1013, "busy"));
    assertNull(other.ending);
    assertTrue(room.bytes() <= KIB * KIB, room.bytes() + " bytes");
  }
}
