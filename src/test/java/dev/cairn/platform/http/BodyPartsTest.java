package dev.cairn.platform.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Operation: what the chunks of a body leave in memory once they are decoded. */
class BodyPartsTest {
  private static final String HEAD =
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";

  private EmbeddedChannel channel;

  @BeforeEach
  void open() {
    channel = new EmbeddedChannel();
    channel.pipeline().addLast("httpDecoder", new HttpRequestDecoder());
    channel.pipeline().addLast("handler", new ChannelInboundHandlerAdapter());
    MessageFraming.of(channel.pipeline(), false);
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  private void receive(String text) {
    channel.writeInbound(Unpooled.copiedBuffer(text, US_ASCII));
  }

  private void assertNext(String text) {
    HttpContent part = channel.readInbound();
    assertEquals(text, part.content().toString(US_ASCII));
    part.release();
  }

  @Test
  void the_chunks_of_one_read_are_one_part() {
    receive(HEAD + "1\r\na\r\n".repeat(1_000));
    assertInstanceOf(HttpRequest.class, channel.readInbound());
    assertNext("a".repeat(1_000));
    assertNull(channel.readInbound());
    receive("1\r\nb\r\n0\r\n\r\n");
    assertNext("b");
    assertInstanceOf(LastHttpContent.class, channel.readInbound());
  }

  @Test
  void long_parts_stay_as_they_are_and_in_their_order() {
    receive(HEAD + "1\r\na\r\n400\r\n" + "x".repeat(1_024) + "\r\n1\r\nb\r\n");
    assertInstanceOf(HttpRequest.class, channel.readInbound());
    assertNext("a");
    assertNext("x".repeat(1_024));
    assertNext("b");
    assertNull(channel.readInbound());
  }

  @Test
  void nothing_is_left_when_the_connection_closes() {
    receive(HEAD + "2\r\na");
    var _ = channel.close();
    assertInstanceOf(HttpRequest.class, channel.readInbound());
  }
}
