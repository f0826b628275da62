package dev.cairn.stream;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.limiter.FairShare;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Comparator;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Limits how many submissions this replica takes at a time, which accounts share fairly. While an
 * account without one waits, a submission is ended whose client is slower than {@link
 * ClientPace#MIN_BYTES_PER_SECOND}, or whose account has had a place for {@link #MAX_UNDISTURBED}
 * while the waiting one has had much less time: of these, the one with the slowest client. See
 * {@code docs/streams.md}, Limits.
 */
@ApplicationScoped
class SubmissionPlaces {
  private static final long HEAP_OF_PLACE = 16L * 1024 * 1024;
  private static final int MAX_BY_HEAP = 64;

  /**
   * The submissions of an account that has had a place for this long give way, however fast they
   * are: otherwise a few accounts could keep all places with little effort. Recent use by earlier
   * submissions counts too, and several at the same time count more.
   */
  static final Duration MAX_UNDISTURBED = Duration.ofMinutes(5);

  /**
   * An account that has recently had a place for this long ends only slow submissions of others. It
   * is less than {@link #MAX_UNDISTURBED}: otherwise an account whose submission was just ended
   * could end another one at once, and accounts would end each other's every few seconds.
   */
  private static final Duration MAX_TO_END_OTHERS = MAX_UNDISTURBED.dividedBy(2);

  private static final int ACCOUNT_FRACTION = 4;

  /** How many fifths of the places are for accounts that have none. */
  private static final int RESERVED_FIFTHS = 2;

  private static final Duration DECAY_TIME = Duration.ofMinutes(10);
  private static final int WAIT_SECONDS = 10;
  private static final int RETRY_SECONDS = 10;

  private final FairShare<UUID> places;
  private final int maxOfAccount;
  private final ConcurrentHashMap<UUID, Integer> ofAccounts = new ConcurrentHashMap<>();
  private final Set<Place> taken = ConcurrentHashMap.newKeySet();

  @Inject
  SubmissionPlaces(CairnConfig config, MeterRegistry metrics) {
    this(max(config.limits().streams()), metrics, System::nanoTime);
  }

  /**
   * Places whose time is counted by a clock.
   *
   * @param max how many
   */
  SubmissionPlaces(int max, MeterRegistry metrics, LongSupplier nanos) {
    this.places = FairShare.ofHeldPlaces(max, max * RESERVED_FIFTHS / 5, DECAY_TIME, nanos);
    this.maxOfAccount = Math.max(1, max / ACCOUNT_FRACTION);
    Gauge.builder("cairn.streams.running", taken, Set::size)
        .description("Streaming submissions that run in this replica")
        .register(metrics);
  }

  private static int max(int configured) {
    return configured > 0 ? configured : byHeap(Runtime.getRuntime().maxMemory());
  }

  /** How many places there are by default. */
  static int byHeap(long heap) {
    return Math.clamp(heap / HEAP_OF_PLACE, 1, MAX_BY_HEAP);
  }

  /** The place of one submission. */
  final class Place implements AutoCloseable {
    private final UUID account;
    private volatile ClientPace pace;
    private volatile Runnable makeRoom;

    private Place(UUID account) {
      this.account = account;
    }

    /**
     * Registers the submission that has the place, so that it can be ended.
     *
     * @param clientPace how fast its client is
     * @param ending ends the submission
     */
    void assign(ClientPace clientPace, Runnable ending) {
      makeRoom = ending;
      pace = clientPace;
    }

    /**
     * Whether the submission may be ended for the account that waits.
     *
     * @param isOwed whether that account has had so little time that it may end a fast submission
     */
    private boolean givesWay(boolean isOwed) {
      return pace != null
          && (pace.isSlow()
              || (isOwed && pace.canEnd() && places.hasUsed(account, MAX_UNDISTURBED)));
    }

    @Override
    public void close() {
      taken.remove(this);
      places.end(account);
      leave(account);
    }
  }

  /**
   * Takes a place, and waits for one.
   *
   * @throws Problem {@code RATE_LIMITED} if the account has too many, {@code UNAVAILABLE} if this
   *     replica has
   */
  Place take(UUID account) {
    if (ofAccounts.merge(account, 1, Integer::sum) > maxOfAccount) {
      leave(account);
      throw Problem.of(
              ErrorCode.RATE_LIMITED,
              "An account may have at most %d streaming submissions at the same time."
                  .formatted(maxOfAccount))
          .with("retryAfter", RETRY_SECONDS)
          .hint("Wait until one of them has ended.");
    }
    if (!await(account)) {
      leave(account);
      throw Problem.of(ErrorCode.UNAVAILABLE, "Too many streaming submissions at this moment.")
          .hint("Try again later.");
    }
    var place = new Place(account);
    taken.add(place);
    return place;
  }

  private boolean await(UUID account) {
    for (int second = 0; second < WAIT_SECONDS; second++) {
      if (places.begin(account, Duration.ofSeconds(1))) {
        return true;
      }
      if (taken.stream().noneMatch(place -> place.account.equals(account))) {
        boolean isOwed = !places.hasUsed(account, MAX_TO_END_OTHERS);
        taken.stream()
            .filter(place -> place.givesWay(isOwed))
            .min(Comparator.comparingDouble(place -> place.pace.bytesPerSecond()))
            .ifPresent(place -> place.makeRoom.run());
      }
    }
    return false;
  }

  private void leave(UUID account) {
    ofAccounts.computeIfPresent(account, (_, count) -> count == 1 ? null : count - 1);
  }
}
