package dev.cairn.access;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.Database;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * What reads may take of the database: each query a time that depends on who asks, and all that are
 * sent without credentials no more than half of the connections, so that the others stay with those
 * who have some.
 */
@ApplicationScoped
public class ReadBounds {
  private static final Duration ACCOUNT = Duration.ofSeconds(10);
  private static final Duration ANONYMOUS = Duration.ofSeconds(3);
  private static final int WAIT_SECONDS = 5;

  private final Semaphore anonymous;

  ReadBounds(CairnConfig config, MeterRegistry metrics) {
    this.anonymous = new Semaphore(Math.max(1, config.database().poolSize() / 2), true);
    Gauge.builder("cairn.reads.anonymous.waiting", anonymous, Semaphore::getQueueLength)
        .description("Reads without credentials that wait for their turn in this replica")
        .register(metrics);
  }

  /** Runs a read; to be called before the first connection is taken. */
  public <T> T within(RepositoryAccess access, Supplier<T> read) {
    return switch (access.caller()) {
      case Caller.SignedIn _ -> Database.within(ACCOUNT, read);
      case Caller.Anonymous _ -> inTurn(() -> Database.within(ANONYMOUS, read));
    };
  }

  private <T> T inTurn(Supplier<T> read) {
    if (!acquired()) {
      throw Problem.of(
          ErrorCode.UNAVAILABLE,
          "Too many reads without credentials at this moment; sign in, or try again.");
    }
    try {
      return read.get();
    } finally {
      anonymous.release();
    }
  }

  private boolean acquired() {
    try {
      return anonymous.tryAcquire(WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
