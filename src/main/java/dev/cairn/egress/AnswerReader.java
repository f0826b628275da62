package dev.cairn.egress;

import dev.cairn.platform.Body;
import dev.cairn.platform.Deadline;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Reads one answer within its limits. The event loop hands it over piece by piece, while the caller
 * waits. Once the head is there, the call has an answer, however its body ends.
 */
final class AnswerReader {
  /** How many interim answers (1xx) may come before the answer. */
  private static final int MAX_INTERIM = 16;

  private final int maxResponseBytes;
  private final int maxKeptBytes;
  private final CompletableFuture<EgressResult.Answer> done = new CompletableFuture<>();

  /** The head of the answer is there, or there will be none. */
  private final CompletableFuture<Void> answered = new CompletableFuture<>();

  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private HttpClientResponse head;
  private int interim;
  private long read;

  AnswerReader(int maxResponseBytes, int maxKeptBytes) {
    this.maxResponseBytes = maxResponseBytes;
    this.maxKeptBytes = maxKeptBytes;
  }

  /** Takes what is received for {@code call}; must be called on the event loop, before that. */
  void listenTo(HttpClientRequest call) {
    call.exceptionHandler(failure -> {}); // without one, Vert.x writes it to the log
    call.continueHandler(_ -> countInterim(call));
    call.earlyHintsHandler(_ -> countInterim(call));
    call.response().onSuccess(this::begin).onFailure(this::fail);
  }

  /** Each of them takes its time to read, so a server that sends too many is disconnected. */
  private void countInterim(HttpClientRequest call) {
    interim++;
    if (interim > MAX_INTERIM) {
      call.connection().close();
    }
  }

  private void fail(Throwable failure) {
    done.completeExceptionally(failure);
    answered.complete(null);
  }

  /** Sends {@code call} and waits for its answer; the connection is the caller's to close. */
  EgressResult.Answer exchange(HttpClientRequest call, Body body, Deadline deadline)
      throws NetworkException, InterruptedException {
    send(call, body, deadline);
    try {
      return done.get(deadline.nanosLeft(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw new NetworkException(NetworkFault.answering(e.getCause()));
    } catch (TimeoutException e) {
      return soFar();
    }
  }

  /** Sends the body piece by piece, each after the other side has taken the one before it. */
  private void send(HttpClientRequest call, Body body, Deadline deadline)
      throws InterruptedException {
    if (body != null) {
      call.putHeader("Content-Length", Long.toString(body.length()));
      var pieces = body.read();
      for (var piece = pieces.next(); piece != null; piece = pieces.next()) {
        if (!isTaken(call.write(Buffer.buffer(piece)), deadline)) {
          return;
        }
      }
    }
    call.end();
  }

  /** False if the time is over, the connection has failed, or the answer has come already. */
  private boolean isTaken(Future<Void> piece, Deadline deadline) throws InterruptedException {
    var taken = piece.toCompletionStage().toCompletableFuture();
    try {
      CompletableFuture.anyOf(taken, answered).get(deadline.nanosLeft(), TimeUnit.NANOSECONDS);
      return !answered.isDone();
    } catch (ExecutionException | TimeoutException e) {
      return false; // the caller waits for the result, which has the reason
    }
  }

  private synchronized void begin(HttpClientResponse response) {
    head = response;
    answered.complete(null);
    response
        .handler(this::take)
        .endHandler(end -> finish(read > maxKeptBytes))
        .exceptionHandler(failure -> finish(true));
  }

  private synchronized void take(Buffer piece) {
    int room = maxKeptBytes - kept.size();
    kept.writeBytes(piece.getBytes(0, Math.min(room, piece.length())));
    read += piece.length();
    if (read > maxResponseBytes) {
      finish(true);
      head.request().connection().close();
    }
  }

  private synchronized EgressResult.Answer soFar() throws NetworkException {
    if (head == null) {
      throw new NetworkException(NetworkFault.TIMEOUT);
    }
    finish(true);
    return done.join();
  }

  private synchronized void finish(boolean isTruncated) {
    if (!done.isDone()) {
      done.complete(
          new EgressResult.Answer(head.statusCode(), headers(), kept.toByteArray(), isTruncated));
    }
  }

  private Map<String, List<String>> headers() {
    var headers = new TreeMap<String, List<String>>(String.CASE_INSENSITIVE_ORDER);
    for (var header : head.headers()) {
      headers.computeIfAbsent(header.getKey(), name -> new ArrayList<>()).add(header.getValue());
    }
    return Collections.unmodifiableMap(headers);
  }
}
