package dev.cairn.platform.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpServerRequest;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The rules for the headers that determine where a message ends and which host it is for: {@code
 * docs/api.md}, Message framing. A proxy and the service must not read them differently, or one of
 * them takes a body for the next request (request smuggling).
 *
 * <p>As a handler, this reads nothing more from a connection after a request that breaks a rule,
 * which {@link RequestLimits} answers. It also reads no request before the previous one was
 * answered (pipelining): a waiting request takes many times its bytes, and the server loses track
 * of the first one if the client disconnects. It also counts the decoded bytes, also those of the
 * frames of a WebSocket, drops excess header fields, and joins short parts of bodies.
 */
public final class MessageFraming extends ChannelDuplexHandler {
  private static final String NAME = "cairn-framing";
  private static final String DECODER = "httpDecoder";
  private static final String SERVER = "handler";
  private static final String CHUNKED = "chunked";
  private static final String VERSIONS = "The version of a request must be HTTP/1.1 or HTTP/1.0.";
  private static final String CLOSE = "close";

  private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");

  /** The number of separators in a request line and in each header. */
  private static final int SEPARATORS = 4;

  /** For how long input after an answer is dropped before the connection is closed. */
  public static final long LINGER_MILLIS = 10_000;

  /** How many bytes of it are dropped at most. */
  private static final long MAX_LINGERED = 256L * 1024 * 1024;

  /**
   * The chunks of a body after which they must have {@link #MIN_CHUNK} bytes on average: a chunk of
   * one byte takes as much processor time as one of 16 KiB.
   */
  static final int SMALL_CHUNKS = 1_024;

  static final int MIN_CHUNK = 32;

  /** The length of the chunk that ends a body, and of the line after it. */
  private static final int LAST_CHUNK = 5;

  // The lengths that a frame of a WebSocket has in its first two bytes, and in the two after them.
  private static final int MAX_SHORT_FRAME = 125;
  private static final int MAX_MEDIUM_FRAME = 0xFFFF;

  private final BodyParts parts = new BodyParts();
  private final boolean allowsAnyOrigin;

  private boolean isUnanswered;

  /** Whether the connection is closed after the answer to the last request. */
  private boolean isLast;

  private boolean isAtEnd;

  /** Whether the connection is being closed, and drops further input. */
  private boolean lingers;

  /** The number of decoded bytes after which it no longer does. */
  private long lingersUntil;

  private boolean isInBody;
  private boolean isChunked;
  private long decoded;

  /** The chunks of the present body, and the bytes in them. */
  private long chunks;

  private long chunkBytes;

  /** Whether the connection is closed because of too many small chunks. */
  private boolean isWasteful;

  private MessageFraming(boolean allowsAnyOrigin) {
    this.allowsAnyOrigin = allowsAnyOrigin;
  }

  /**
   * The handler of a connection, added if necessary; null if it is not yet set up for HTTP.
   *
   * @param allowsAnyOrigin whether pages of every origin may read why a request was refused whose
   *     {@code Origin} and path are unknown
   */
  public static MessageFraming of(ChannelPipeline pipeline, boolean allowsAnyOrigin) {
    if (pipeline.get(NAME) == null && pipeline.get(DECODER) != null) {
      pipeline.addBefore(SERVER, NAME, new MessageFraming(allowsAnyOrigin));
    }
    return (MessageFraming) pipeline.get(NAME);
  }

  /**
   * The number of bytes of the decoded heads and bodies, without optional white space. A chunk that
   * was received in several parts counts as several chunks.
   */
  public long decoded() {
    return decoded;
  }

  /** Whether the body of a decoded head is still incomplete. */
  public boolean isInBody() {
    return isInBody;
  }

  /**
   * The rule that the version or the headers of a request break, as a sentence; empty if they break
   * none.
   */
  static Optional<String> fault(HttpServerRequest request) {
    var version = request.version();
    return version == null // the server knows no other
        ? Optional.of(VERSIONS)
        : fault(version == io.vertx.core.http.HttpVersion.HTTP_1_1, request.headers()::getAll);
  }

  private static Optional<String> fault(HttpRequest request) {
    var version = request.protocolVersion();
    return isKnown(version)
        ? fault(version.equals(HttpVersion.HTTP_1_1), request.headers()::getAll)
        : Optional.of(VERSIONS);
  }

  private static boolean isKnown(HttpVersion version) {
    return version.equals(HttpVersion.HTTP_1_1) || version.equals(HttpVersion.HTTP_1_0);
  }

  private static Optional<String> fault(boolean is11, Function<CharSequence, List<String>> header) {
    var codings = header.apply(HttpHeaderNames.TRANSFER_ENCODING);
    var lengths = header.apply(HttpHeaderNames.CONTENT_LENGTH);
    if (!header.apply(HttpHeaderNames.SEC_WEBSOCKET_KEY1).isEmpty()) {
      // With the second key, the decoder would treat the next eight bytes as a body.
      return Optional.of("`Sec-WebSocket-Key1` is not accepted.");
    }
    if (header.apply(HttpHeaderNames.HOST).size() > 1) {
      return Optional.of("A request must have exactly one `Host`.");
    }
    if (lengths.size() > 1 || !lengths.stream().allMatch(LENGTH.asMatchPredicate())) {
      return Optional.of("`Content-Length` must be one decimal number, given once.");
    }
    if (codings.isEmpty()) {
      return Optional.empty();
    }
    if (!lengths.isEmpty()) {
      return Optional.of("A request may have `Content-Length` or `Transfer-Encoding`, not both.");
    }
    if (!is11) {
      return Optional.of("`Transfer-Encoding` is allowed in HTTP/1.1 only.");
    }
    return codings.size() == 1 && codings.getFirst().equalsIgnoreCase(CHUNKED)
        ? Optional.empty()
        : Optional.of("`Transfer-Encoding` must be `chunked`, given once.");
  }

  /**
   * Notes that a request was decoded before this handler was added. Nothing more is read from the
   * connection, which is closed after its answer.
   */
  public void startsLate() {
    isUnanswered = true;
    isLast = true;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (isWasteful) {
      ReferenceCountUtil.release(message);
      return;
    }
    count(message);
    if (chunks > SMALL_CHUNKS && chunkBytes / chunks < MIN_CHUNK) {
      ReferenceCountUtil.release(message);
      endWasteful(context);
    } else if (isAtEnd) {
      ReferenceCountUtil.release(message);
      if (lingers && (message instanceof LastHttpContent || decoded > lingersUntil)) {
        var _ = context.close();
      }
    } else if (message instanceof HttpRequest request) {
      read(context, request);
    } else {
      parts.read(context, message);
    }
  }

  /** The decoder would go on with the thousands of chunks that it has. */
  private void endWasteful(ChannelHandlerContext context) {
    isWasteful = true;
    if (context.pipeline().get(DECODER) != null) {
      context.pipeline().remove(DECODER);
    }
    var _ = context.close();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    parts.flush(context);
    context.fireChannelReadComplete();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    parts.release();
  }

  private void read(ChannelHandlerContext context, HttpRequest request) {
    if (isUnanswered || isLast) {
      isAtEnd = true;
      ReferenceCountUtil.release(request);
    } else if (request.decoderResult().isFailure()) {
      isAtEnd = true;
      ReferenceCountUtil.release(request);
      refuse(context, fault(request.decoderResult().cause()));
    } else if (!isKnown(request.protocolVersion())) {
      isAtEnd = true;
      ReferenceCountUtil.release(request);
      refuse(context, Problem.invalid("", VERSIONS)); // the server would, without a document
    } else {
      isUnanswered = true;
      // For older versions, the decoder uses the first of several lengths and drops the others.
      isLast =
          !request.protocolVersion().equals(HttpVersion.HTTP_1_1)
              || request.headers().containsValue(HttpHeaderNames.CONNECTION, CLOSE, true);
      isAtEnd = cutFields(request.headers()) || fault(request).isPresent();
      ForwardedHeaders.clean(request.headers());
      context.fireChannelRead(request);
      if (isAtEnd) {
        context.fireChannelRead(LastHttpContent.EMPTY_LAST_CONTENT);
      }
    }
  }

  private static Problem fault(Throwable cause) {
    return switch (cause) {
      case TooLongHttpLineException _ ->
          Problem.of(
              ErrorCode.URI_TOO_LONG,
              "A URI may have at most " + RequestLimits.MAX_URI + " characters.");
      case TooLongHttpHeaderException _ ->
          Problem.of(
              ErrorCode.HEADERS_TOO_LARGE,
              "All headers together may have at most "
                  + RequestLimits.MAX_HEADERS
                  + " characters.");
      default -> Problem.invalid("", "The request is not a valid HTTP/1.1 message (RFC 9112).");
    };
  }

  /** Answers with a problem document, which the server would omit. */
  private void refuse(ChannelHandlerContext context, Problem problem) {
    var body = Unpooled.copiedBuffer(ProblemDocument.of(problem, null).toJson(), UTF_8);
    var status = HttpResponseStatus.valueOf(problem.code().status());
    var response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body);
    ProblemDocument.headers(problem).forEach(response.headers()::set);
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, ProblemDocument.MEDIA_TYPE)
        .set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes())
        .set(HttpHeaderNames.CONNECTION, CLOSE)
        .set("X-Content-Type-Options", "nosniff");
    if (allowsAnyOrigin) {
      response.headers().set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, CrossOrigin.ANY);
    }
    var _ = context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
  }

  /**
   * Drops excess header fields, except one, for which {@link RequestLimits} refuses the request:
   * before that, many other requests may be read, whose fields would all be in memory.
   *
   * @return whether there were too many
   */
  private static boolean cutFields(HttpHeaders headers) {
    var fields = headers.entries();
    if (fields.size() <= RequestLimits.MAX_HEADER_FIELDS) {
      return false;
    }
    headers.clear();
    // The host first, since a request without it is refused for another reason.
    fields.stream()
        .sorted(
            Comparator.comparing(
                field -> !HttpHeaderNames.HOST.contentEqualsIgnoreCase(field.getKey())))
        .limit(RequestLimits.MAX_HEADER_FIELDS + 1L)
        .forEach(field -> headers.add(field.getKey(), field.getValue()));
    return true;
  }

  private void count(Object message) {
    if (message instanceof WebSocketFrame frame) {
      decoded += length(frame);
    }
    if (message instanceof HttpRequest request) {
      isInBody = true;
      isChunked = HttpUtil.isTransferEncodingChunked(request);
      chunks = 0;
      chunkBytes = 0;
      decoded += request.method().name().length() + request.uri().length();
      decoded += request.protocolVersion().text().length() + SEPARATORS + 2;
      decoded += length(request.headers());
    }
    if (message instanceof HttpContent content) {
      int length = content.content().readableBytes();
      decoded += length;
      if (isChunked && length > 0) {
        decoded += Integer.toHexString(length).length() + SEPARATORS;
        chunks++;
        chunkBytes += length;
      }
      if (content instanceof LastHttpContent last) {
        isInBody = false;
        decoded += isChunked ? LAST_CHUNK : 0;
        decoded += length(last.trailingHeaders());
        if (!last.trailingHeaders().isEmpty()) {
          // Trailers are not used, and would be in memory until the request is answered.
          last.trailingHeaders().clear();
        }
      }
    }
  }

  /**
   * The length of a frame of a client, whose header has two bytes, a length and a mask (RFC 6455).
   */
  private static int length(WebSocketFrame frame) {
    int payload = frame.content().readableBytes();
    int extended = payload <= MAX_SHORT_FRAME ? 0 : payload <= MAX_MEDIUM_FRAME ? 2 : 8;
    return 2 + extended + 4 + payload;
  }

  private static long length(HttpHeaders headers) {
    long length = 0;
    for (var header : headers) {
      length += header.getKey().length() + header.getValue().length() + SEPARATORS;
    }
    return length;
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof HttpResponse response && !isInterim(message)) {
      prepare(response);
    }
    if (message instanceof LastHttpContent && !isInterim(message)) {
      isUnanswered = false;
      if (isAtEnd || isLast) {
        var _ = context.write(message, promise.unvoid()).addListener(ChannelFutureListener.CLOSE);
        return;
      }
    }
    var _ = context.write(message, promise);
  }

  /**
   * If the request was answered before it was complete, drops the rest for a while: closing a
   * socket with unread bytes resets the connection, and the client may lose the answer.
   */
  @Override
  public void close(ChannelHandlerContext context, ChannelPromise promise) {
    if (isUnanswered || !(isInBody || isAtEnd)) {
      var _ = context.close(promise);
      return;
    }
    var _ = context.channel().closeFuture().addListener(_ -> promise.trySuccess());
    if (!lingers) {
      linger(context);
    }
  }

  private void linger(ChannelHandlerContext context) {
    lingers = true;
    lingersUntil = decoded + MAX_LINGERED;
    isAtEnd = true;
    var channel = context.channel();
    if (channel instanceof SocketChannel socket
        && channel.pipeline().get(SslHandler.class) == null) {
      var _ = socket.shutdownOutput();
    }
    channel.config().setAutoRead(true);
    var timer =
        context
            .executor()
            .schedule(
                () -> {
                  var _ = context.close();
                },
                LINGER_MILLIS,
                TimeUnit.MILLISECONDS);
    var _ = channel.closeFuture().addListener(_ -> timer.cancel(false));
  }

  private void prepare(HttpResponse response) {
    if (!isKnown(response.protocolVersion())) {
      response.setProtocolVersion(HttpVersion.HTTP_1_1); // the server repeats the request's
    }
    if (isAtEnd || isLast) {
      // Otherwise a client may send its next request on a connection that is being closed.
      response.headers().set(HttpHeaderNames.CONNECTION, CLOSE);
    }
  }

  private static boolean isInterim(Object message) {
    return message instanceof HttpResponse response
        && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
  }
}
