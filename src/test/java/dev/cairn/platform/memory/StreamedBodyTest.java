package dev.cairn.platform.memory;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.vertx.utils.VertxJavaIoContext;
import io.quarkus.vertx.utils.VertxOutputStream;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.impl.HttpServerRequestInternal;
import io.vertx.core.impl.ContextInternal;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** docs/export.md, Slow clients: how much of a streamed body is in memory. */
class StreamedBodyTest {
  private static final int PIECE = 128 * 1024;
  private static final int PIECES = 50;

  /** The path of a body whose length is known. */
  private static final String KNOWN = "/known";

  /** Those of compressed bodies: a whole one, one that fails in its middle or at its beginning. */
  private static final String COMPRESSED = "/compressed";

  private static final String BROKEN = "/broken";
  private static final String FAILING = "/failing";

  private final Vertx vertx = Vertx.vertx();
  private final CountDownLatch isBlocked = new CountDownLatch(1);
  private final CountDownLatch unblock = new CountDownLatch(1);
  private final Semaphore written = new Semaphore(0);
  private HttpServer server;

  @BeforeEach
  void listen() throws Exception {
    var router = Router.router(vertx);
    router.get().handler(context -> Thread.startVirtualThread(() -> answer(context)));
    server =
        vertx
            .createHttpServer()
            .requestHandler(router)
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .get(10, TimeUnit.SECONDS);
  }

  @AfterEach
  void end() throws Exception {
    unblock.countDown();
    vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  /** Answers as the framework does, which brings a stream of its own. */
  private void answer(RoutingContext context) {
    try (var out = new VertxOutputStream(new VertxJavaIoContext(context, 128, 8191))) {
      if (context.request().path().equals(KNOWN)) {
        long length = (long) PIECES * PIECE;
        StreamedBody.of(context.request(), length, StreamedBodyTest::write).write(out);
        // All of the body was written, and its end was not.
        isBlocked.countDown();
        await(unblock);
      } else if (context.request().path().equals(COMPRESSED)) {
        gzip(context, body -> write(context, body)).write(out);
      } else if (context.request().path().equals(BROKEN)) {
        answerBroken(context, out);
      } else if (context.request().path().equals(FAILING)) {
        answerFailing(context, out);
      } else {
        StreamedBody.of(context.request(), body -> write(context, body)).write(out);
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static StreamingOutput gzip(RoutingContext context, StreamedBody.Writer writer) {
    return StreamedBody.of(context.request(), StreamedBody.gzip(context.request()).apply(writer));
  }

  /** On the context of the request, as all code of the framework. */
  private static void answerBroken(RoutingContext context, OutputStream out) throws IOException {
    var current = (ContextInternal) eventLoop(context);
    var before = current.beginDispatch();
    try {
      gzip(context, StreamedBodyTest::writeAndFail).write(out);
    } finally {
      current.endDispatch(before);
    }
  }

  private static void answerFailing(RoutingContext context, OutputStream out) throws IOException {
    StreamedBody.Writer failing =
        _ -> {
          throw new IllegalStateException("before the first piece");
        };
    var body = gzip(context, failing);
    assertThrows(IllegalStateException.class, () -> body.write(out));
    out.write("not compressed".getBytes(US_ASCII));
  }

  private static void writeAndFail(OutputStream body) throws IOException {
    body.write(new byte[PIECE]);
    throw new IOException("in the middle");
  }

  /** Writes pieces while the event loop is busy with something else. */
  private void write(RoutingContext context, OutputStream body) throws IOException {
    eventLoop(context).runOnContext(_ -> block());
    await(isBlocked);
    for (int i = 0; i < PIECES; i++) {
      body.write(new byte[PIECE]);
      written.release();
    }
  }

  private static void write(OutputStream body) throws IOException {
    for (int i = 0; i < PIECES; i++) {
      body.write(new byte[PIECE]);
    }
  }

  private static Context eventLoop(RoutingContext context) {
    return ((HttpServerRequestInternal) context.request()).context();
  }

  private void block() {
    isBlocked.countDown();
    await(unblock);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(10, TimeUnit.SECONDS), "nothing happened");
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void one_piece_waits_for_the_event_loop_and_no_other_is_made_before_it_is_sent()
      throws Exception {
    try (var client = HttpClient.newHttpClient()) {
      var answer = get(client, "/");
      await(isBlocked);
      assertFalse(
          written.tryAcquire(1, TimeUnit.SECONDS),
          () -> "pieces that wait for the event loop: " + (1 + written.availablePermits()));
      unblock.countDown();
      assertEquals(PIECES * PIECE, answer.get(10, TimeUnit.SECONDS).body().length);
    }
  }

  @Test
  void the_last_byte_of_a_known_length_comes_with_the_end_of_the_answer() throws Exception {
    try (var client = HttpClient.newHttpClient()) {
      var answer = get(client, KNOWN);
      await(isBlocked);
      assertThrows(TimeoutException.class, () -> answer.get(1, TimeUnit.SECONDS));
      unblock.countDown();
      assertEquals(PIECES * PIECE, answer.get(10, TimeUnit.SECONDS).body().length);
    }
  }

  @Test
  void a_compressed_piece_waits_for_the_event_loop_too() throws Exception {
    try (var client = HttpClient.newHttpClient()) {
      var answer = get(client, COMPRESSED);
      await(isBlocked);
      assertFalse(
          written.tryAcquire(1, TimeUnit.SECONDS),
          () -> "pieces that wait for the event loop: " + (1 + written.availablePermits()));
      unblock.countDown();
      var sent = answer.get(10, TimeUnit.SECONDS);
      assertEquals("gzip", sent.headers().firstValue("Content-Encoding").orElse(""));
      var body = new GZIPInputStream(new ByteArrayInputStream(sent.body())).readAllBytes();
      assertEquals(PIECES * PIECE, body.length);
    }
  }

  @Test
  void a_compressed_body_that_fails_has_no_end() throws Exception {
    try (var client = HttpClient.newHttpClient()) {
      var answer = get(client, BROKEN);
      assertThrows(ExecutionException.class, () -> answer.get(10, TimeUnit.SECONDS));
    }
  }

  @Test
  void what_answers_in_its_place_is_not_said_to_be_compressed() throws Exception {
    try (var client = HttpClient.newHttpClient()) {
      var answer = get(client, FAILING).get(10, TimeUnit.SECONDS);
      assertEquals("not compressed", new String(answer.body(), US_ASCII));
      assertTrue(answer.headers().firstValue("Content-Encoding").isEmpty());
    }
  }

  private CompletableFuture<HttpResponse<byte[]>> get(HttpClient client, String path) {
    var uri = URI.create("http://127.0.0.1:" + server.actualPort() + path);
    // The service speaks no HTTP/2, to which this client would otherwise change.
    var request = HttpRequest.newBuilder(uri).version(HttpClient.Version.HTTP_1_1).build();
    return client.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray());
  }
}
