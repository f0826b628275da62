package dev.cairn.platform.memory;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.ClientGoneException;
import dev.cairn.platform.Deadline;
import dev.cairn.platform.http.RequestBody;
import dev.cairn.platform.limiter.KeyedLimiter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Decompresses bodies on the threads of their requests, as many at a time as there are processors.
 * The others wait for a slot; slots are shared fairly between accounts. See {@code docs/limits.md},
 * Decompression.
 */
@Singleton
class Decompression {
  /** For the wait and the decompression together. */
  private static final Duration TIME_LIMIT = Duration.ofSeconds(20);

  /** How many bodies of one account may be decompressed or wait; others are refused at once. */
  static final int MAX_OF_OWNER = 256;

  /** The part of the slots for accounts that used little time recently, as its denominator. */
  private static final int RESERVED_FRACTION = 2;

  private final WaitingRequests requests;
  private final MeterRegistry metrics;
  private final Duration time;
  private final KeyedLimiter<String> slots;

  @Inject
  Decompression(WaitingRequests requests, MeterRegistry metrics) {
    this(requests, metrics, Runtime.getRuntime().availableProcessors(), TIME_LIMIT);
    Gauge.builder("cairn.decompressions.waiting", slots, KeyedLimiter::waiting)
        .description("Compressed bodies that wait in this replica until others are decompressed")
        .register(metrics);
  }

  Decompression(WaitingRequests requests, MeterRegistry metrics, int atOnce, Duration time) {
    this.requests = requests;
    this.metrics = metrics;
    this.time = time;
    this.slots = new KeyedLimiter<>(atOnce, MAX_OF_OWNER, atOnce, atOnce / RESERVED_FRACTION);
  }

  /**
   * Takes the bytes of a complete body, decompressed. For virtual threads.
   *
   * @param maxBytes how many it may have, compressed and decompressed
   * @throws Problem as {@link ArrivingBody#decompressed}, and {@code UNAVAILABLE} if too many
   *     others are decompressed
   * @throws ClientGoneException if the client has closed its connection
   */
  byte[] of(ArrivingBody body, RoutingContext context, int maxBytes) {
    if (body.length() > maxBytes) {
      throw RequestBody.tooLong(maxBytes);
    }
    // Before it waits for a slot, since this may ask the database.
    body.requireRights();
    return withSlot(
        body.ownerName(),
        context.response()::closed,
        mayGoOn -> body.decompressed(maxBytes, mayGoOn));
  }

  /**
   * Does work in a slot, and waits for one before.
   *
   * @param isGone whether nobody waits for the result any longer
   * @param work must call its argument often, which throws if the work has to end
   */
  <T> T withSlot(String owner, BooleanSupplier isGone, Function<Runnable, T> work) {
    long start = System.nanoTime();
    var end = Deadline.in(time);
    String outcome = "failed";
    try {
      T done =
          requests.untilGone(
              over ->
                  slots.call(
                      owner,
                      time,
                      () -> {
                        over.run();
                        return work.apply(() -> requireUseful(end, isGone));
                      },
                      Decompression::busy));
      outcome = "done";
      return done;
    } catch (Problem e) {
      outcome = e.code().name().toLowerCase(Locale.ROOT);
      throw e;
    } catch (ClientGoneException e) {
      outcome = "abandoned";
      throw e;
    } finally {
      Timer.builder("cairn.decompressions")
          .description("Decompressed bodies by outcome, with their times")
          .tag("outcome", outcome)
          .register(metrics)
          .record(Duration.ofNanos(System.nanoTime() - start));
    }
  }

  private static void requireUseful(Deadline end, BooleanSupplier isGone) {
    if (isGone.getAsBoolean()) {
      throw new ClientGoneException();
    }
    if (end.hasPassed() || Thread.currentThread().isInterrupted()) {
      throw busy();
    }
  }

  private static Problem busy() {
    return Problem.of(
        ErrorCode.UNAVAILABLE,
        "Too many compressed bodies at this moment: this one was not decompressed in time.");
  }
}
