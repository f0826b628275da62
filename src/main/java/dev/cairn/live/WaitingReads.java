package dev.cairn.live;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.ClientGoneException;
import dev.cairn.platform.memory.WaitingRequests;
import dev.cairn.query.CommitWait;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;

/** Reads that wait for a commit; see {@code docs/live.md}, Waiting reads. */
@Singleton
class WaitingReads implements CommitWait {
  private static final Duration MAX_WAIT = Duration.ofSeconds(30);
  private static final int RETRY_SECONDS = 10;

  private final Watches watches;
  private final AccessChecks checks;
  private final WaitingRequests requests;

  WaitingReads(Watches watches, AccessChecks checks, WaitingRequests requests) {
    this.watches = watches;
    this.checks = checks;
    this.requests = requests;
  }

  @Override
  public void await(RepositoryAccess access, long seq) {
    // The request sees by itself that its client has gone, so nobody has to close the connection.
    try (var watch = watches.open(List.of(access), 0, () -> {})) {
      checks.begin();
      requests.untilGone(
          over -> {
            await(watch, seq);
            over.run();
            return true;
          });
      if (watch.ending().filter(Ending.CROWDED::equals).isPresent()) {
        throw crowded();
      }
    }
  }

  private static void await(Watch watch, long seq) {
    long end = System.nanoTime() + MAX_WAIT.toNanos();
    try {
      for (long left = MAX_WAIT.toNanos();
          left > 0 && watch.newest(0) < seq && watch.ending().isEmpty();
          left = end - System.nanoTime()) {
        watch.await(Duration.ofNanos(left));
      }
    } catch (InterruptedException _) {
      throw new ClientGoneException();
    }
  }

  /** Without a read for each client that ends, which may be thousands at once. */
  private static Problem crowded() {
    return Problem.of(
            ErrorCode.UNAVAILABLE,
            "Other callers need places for clients that follow repositories, and yours have the"
                + " most.")
        .with("retryAfter", RETRY_SECONDS);
  }
}
