package dev.cairn.platform.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Operation: what heads of many header fields leave in memory once they are decoded. */
class HeaderFieldsTest {
  private static HttpRequest decoded(String head) {
    var channel = new EmbeddedChannel();
    channel.pipeline().addLast("httpDecoder", new HttpRequestDecoder(4_096, 65_536, 8_192));
    channel.pipeline().addLast("handler", new ChannelInboundHandlerAdapter());
    MessageFraming.of(channel.pipeline(), false);
    channel.writeInbound(Unpooled.copiedBuffer(head, StandardCharsets.US_ASCII));
    return channel.readInbound();
  }

  @Test
  void of_too_many_fields_only_one_beyond_the_limit_is_kept() {
    var request = decoded("GET / HTTP/1.1\r\n" + "a:b\r\n".repeat(10_000) + "Host: h\r\n\r\n");
    assertEquals(201, request.headers().entries().size());
    assertEquals("h", request.headers().get("Host"));
  }

  @Test
  void as_many_fields_as_there_may_be_are_kept_as_they_are() {
    var request = decoded("GET / HTTP/1.1\r\n" + "a:b\r\n".repeat(199) + "Host: h\r\n\r\n");
    assertEquals(200, request.headers().entries().size());
  }
}
