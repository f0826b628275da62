package dev.cairn.platform.http;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** API, Message framing: the rest of a body that comes after its answer. */
class LingerTest {
  private static final long PATIENCE = MessageFraming.LINGER_MILLIS;

  private EmbeddedChannel channel;

  @BeforeEach
  void an_answer_before_the_body_is_complete() {
    begin(100_000);
  }

  private void begin(long length) {
    channel = new EmbeddedChannel();
    channel.freezeTime();
    channel
        .pipeline()
        .addLast("httpDecoder", new HttpRequestDecoder())
        .addLast("handler", new ChannelInboundHandlerAdapter());
    MessageFraming.of(channel.pipeline(), false);
    send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + length + "\r\n\r\nbegins");
    channel.writeOutbound(
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.UNAUTHORIZED));
    channel.releaseOutbound();
    for (var message = channel.readInbound(); message != null; message = channel.readInbound()) {
      ReferenceCountUtil.release(message);
    }
    // The channel itself would forget the timers.
    var _ = channel.pipeline().close();
  }

  @AfterEach
  void end() {
    channel.finishAndReleaseAll();
  }

  @Test
  void a_client_that_goes_on_is_listened_to_for_ten_seconds() {
    for (int tenth = 0; tenth < 10; tenth++) {
      assertTrue(channel.isOpen(), "closed after " + tenth + " tenths");
      send("x");
      pass(PATIENCE / 10 - 1);
    }
    pass(10);
    assertFalse(channel.isOpen());
  }

  @Test
  void nothing_of_the_rest_is_kept() {
    for (int i = 0; i < 90; i++) {
      send("x".repeat(1_000));
      assertNull(channel.readInbound());
    }
    assertTrue(channel.isOpen());
  }

  @Test
  void the_connection_is_closed_with_the_end_of_the_body() {
    send("x".repeat(100_000 - "begins".length() - 1));
    assertTrue(channel.isOpen());
    send("x");
    assertFalse(channel.isOpen());
  }

  @Test
  void the_connection_is_closed_after_256_mib() {
    end();
    begin(1_000_000_000);
    var part = "x".repeat(1024 * 1024);
    for (int i = 0; i < 256; i++) {
      send(part);
    }
    assertTrue(channel.isOpen());
    send(part);
    assertFalse(channel.isOpen());
  }

  private void pass(long millis) {
    channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
    channel.runPendingTasks();
  }

  private void send(String text) {
    channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
  }

  @Test
  void a_body_of_many_small_chunks_ends_the_connection() {
    assertTrue(isOpenAfter("1\r\nx\r\n", MessageFraming.SMALL_CHUNKS));
    assertFalse(isOpenAfter("1\r\nx\r\n", MessageFraming.SMALL_CHUNKS + 1));
    assertFalse(isOpenAfter(chunk(MessageFraming.MIN_CHUNK - 1), MessageFraming.SMALL_CHUNKS + 1));
    assertTrue(isOpenAfter(chunk(MessageFraming.MIN_CHUNK), 3 * MessageFraming.SMALL_CHUNKS));
  }

  private static String chunk(int length) {
    return Integer.toHexString(length) + "\r\n" + "x".repeat(length) + "\r\n";
  }

  private boolean isOpenAfter(String chunk, int times) {
    end();
    channel = new EmbeddedChannel();
    channel
        .pipeline()
        .addLast("httpDecoder", new HttpRequestDecoder())
        .addLast("handler", new ChannelInboundHandlerAdapter());
    MessageFraming.of(channel.pipeline(), false);
    send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
    send(chunk.repeat(times));
    return channel.isOpen();
  }
}
