package dev.cairn.sprite;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.cairn.platform.Deadline;
import io.smallrye.mutiny.Uni;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.RestResponse;

/** Makes calls to a backend, each with limits on time and length. */
final class Calls {
  private static final Logger LOG = Logger.getLogger(Calls.class);

  /** After this many failures of the backend in a row, an attempt has failed. */
  static final int MAX_FAILURES = 3;

  /** The timeout of one call, including the connection and the whole answer. */
  static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** The timeout of the last call before a deadline, however close the deadline is. */
  private static final Duration MIN_TIMEOUT = Duration.ofSeconds(1);

  /** The timeout of a call whose failure is only logged. */
  private static final Duration UNCHECKED_TIMEOUT = Duration.ofSeconds(5);

  private static final int MAX_ANSWER_BYTES = 1024 * 1024;
  private static final int OK = 200;
  private static final int REDIRECTION = 300;

  private static final JsonMapper JSON = new JsonMapper();

  /** A call of a client that {@link BackendClients} has built. */
  interface Call {
    Uni<RestResponse<InputStream>> make() throws SpriteException;
  }

  /**
   * An answer with a success status.
   *
   * @param body at most one byte more than an answer may have
   * @param ended whether {@code body} is complete, unless it is too long
   */
  private record Answer(int status, byte[] body, boolean ended) {}

  private Calls() {}

  /**
   * Makes an idempotent call, and retries it without a delay if the backend fails. For calls that
   * the next poll does not repeat: docs/decisions/0018-waiting-for-commands.md.
   *
   * @param what the purpose of the call, for the message of a failure
   * @param end of the attempt, after which it does not wait for an answer
   * @return the body of the answer
   */
  static byte[] make(String what, Deadline end, Call call)
      throws SpriteException, InterruptedException {
    for (int tried = 1; ; tried++) {
      try {
        return once(what, end, call);
      } catch (SpriteException e) {
        if (tried == MAX_FAILURES || !e.isBackendFailure()) {
          throw e;
        }
      }
    }
  }

  /** Makes a call, and reads its answer. */
  static byte[] once(String what, Deadline end, Call call)
      throws SpriteException, InterruptedException {
    var answer = answer(what, end, call);
    if (!answer.ended()) {
      throw noAnswer(what, end);
    }
    if (answer.body().length > MAX_ANSWER_BYTES) {
      throw SpriteException.tooLong(answer.status(), what);
    }
    return answer.body();
  }

  /** Makes a call and only checks the status of its answer; the body may be cut off. */
  static void succeeded(String what, Deadline end, Call call)
      throws SpriteException, InterruptedException {
    answer(what, end, call);
  }

  private static Answer answer(String what, Deadline end, Call call)
      throws SpriteException, InterruptedException {
    var within = within(end);
    var begun = call.make().subscribeAsCompletionStage();
    try {
      var head = begun.get(within.nanosLeft(), TimeUnit.NANOSECONDS);
      return answer(what, head, within);
    } catch (ExecutionException | TimeoutException e) {
      throw noAnswer(what, end);
    } finally {
      begun.cancel(true);
    }
  }

  private static Answer answer(String what, RestResponse<InputStream> head, Deadline within)
      throws SpriteException, InterruptedException {
    int status = head.getStatus();
    try (var body = (AnswerStream) head.getEntity()) {
      if (status < OK || status >= REDIRECTION) {
        throw SpriteException.http(status, what);
      }
      return new Answer(status, body == null ? new byte[0] : read(body, within), true);
    } catch (InterruptedIOException e) {
      throw new InterruptedException();
    } catch (IOException e) {
      return new Answer(status, new byte[0], false);
    }
  }

  private static byte[] read(AnswerStream body, Deadline within) throws IOException {
    var late =
        new CompletableFuture<Void>()
            .completeOnTimeout(null, within.nanosLeft(), TimeUnit.NANOSECONDS);
    var _ = late.thenRun(body::cutOff);
    try {
      return body.readNBytes(MAX_ANSWER_BYTES + 1);
    } finally {
      late.cancel(false);
    }
  }

  private static Deadline within(Deadline end) {
    long left = Math.max(end.nanosLeft(), MIN_TIMEOUT.toNanos());
    return Deadline.in(Duration.ofNanos(Math.min(left, TIMEOUT.toNanos())));
  }

  /** The last call of an attempt is not retried. */
  private static SpriteException noAnswer(String what, Deadline end) {
    return end.hasPassed() ? SpriteException.outOfTime(what) : SpriteException.noAnswer(what);
  }

  /** Reads the answer to a call. */
  static <T> T read(String what, byte[] body, Class<T> type) throws SpriteException {
    try {
      return JSON.readValue(body, type);
    } catch (JsonProcessingException e) {
      // The message may quote the answer, which may quote secrets.
      throw SpriteException.noJson(what).with(e.getOriginalMessage());
    } catch (IOException e) {
      throw SpriteException.noJson(what);
    }
  }

  /** Makes a call whose failure is only logged, because time limits have the same effect later. */
  static void attempt(String what, Call call) {
    // It is also made while the service stops, although an interrupted thread could make no call.
    boolean interrupted = Thread.interrupted();
    try {
      succeeded(what, Deadline.in(UNCHECKED_TIMEOUT), call);
    } catch (SpriteException e) {
      LOG.warnf("no call for %s: %s", what, e.getMessage());
    } catch (InterruptedException e) {
      interrupted = true;
    } catch (RuntimeException e) {
      LOG.errorf(e, "no call for %s", what);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
