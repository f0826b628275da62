package dev.cairn.live;

import dev.cairn.access.Caller;
import dev.cairn.access.OngoingReads;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * All who follow repositories on this replica: how many there may be, and which of them a commit
 * wakes. See {@code docs/live.md}, Limits.
 */
@Singleton
class Watches {
  private final int max;
  private final int maxOfAccount;
  private final int maxOfAddress;
  private final AtomicInteger open = new AtomicInteger();
  private final ConcurrentMap<String, Integer> byCaller = new ConcurrentHashMap<>();
  private final ConcurrentMap<UUID, Followed> byRepository = new ConcurrentHashMap<>();
  private final Set<Watch> all = ConcurrentHashMap.newKeySet();
  private volatile boolean stops;

  Watches(CairnConfig config, MeterRegistry metrics) {
    this.max = config.limits().liveClients();
    this.maxOfAccount = config.limits().liveClientsPerAccount();
    this.maxOfAddress = config.limits().liveClientsPerAddress();
    Gauge.builder("cairn.live.clients", open, AtomicInteger::get)
        .description("Clients that follow repositories on this replica")
        .register(metrics);
  }

  /**
   * Begins to follow repositories; they are at least at the sequence number of their access.
   *
   * @param accesses granted for {@code repo:read}
   * @param hangUp closes the connection of the client
   * @throws Problem {@code RATE_LIMITED} if the caller follows too many, {@code UNAVAILABLE} if all
   *     callers do or if this replica stops
   */
  Watch open(List<RepositoryAccess> accesses, Runnable hangUp) {
    var caller = counted(accesses);
    var key = caller.limitKey();
    begin(caller, key);
    var followed = accesses.stream().map(this::follow).toList();
    var reads = accesses.stream().map(OngoingReads.Read::of).toList();
    var watch = new Watch(followed, reads, hangUp, closed -> close(closed, followed, key));
    followed.forEach(each -> each.watches().add(watch));
    all.add(watch);
    if (stops) {
      watch.end(Ending.SHUTDOWN);
    }
    return watch;
  }

  private Followed follow(RepositoryAccess access) {
    var followed =
        byRepository.compute(
            access.repoId(), (_, present) -> (present == null ? new Followed() : present).joined());
    followed.committed(access.seq());
    return followed;
  }

  private void close(Watch watch, List<Followed> followed, String key) {
    all.remove(watch);
    followed.forEach(each -> each.watches().remove(watch));
    for (var read : watch.reads()) {
      byRepository.computeIfPresent(read.repoId(), (_, present) -> present.left());
    }
    open.decrementAndGet();
    leave(key);
  }

  private void leave(String key) {
    byCaller.computeIfPresent(key, (_, count) -> count == 1 ? null : count - 1);
  }

  /** There is a commit; those are woken who follow its repository. */
  void committed(UUID repoId, long seq) {
    var followed = byRepository.get(repoId);
    if (followed != null) {
      followed.committed(seq);
    }
  }

  /** All who follow any repository. */
  Collection<Watch> all() {
    return all;
  }

  void stop(@Observes ShutdownDelayInitiatedEvent event) {
    stops = true;
    all.forEach(watch -> watch.end(Ending.SHUTDOWN));
  }

  /** The caller whose clients are counted: an account, if any of the accesses is that of one. */
  private static Caller counted(List<RepositoryAccess> accesses) {
    return accesses.stream()
        .map(RepositoryAccess::caller)
        .filter(Caller.SignedIn.class::isInstance)
        .findFirst()
        .orElse(accesses.getFirst().caller());
  }

  private void begin(Caller caller, String key) {
    if (stops) {
      throw Problem.of(ErrorCode.UNAVAILABLE, "This replica stops.").with("retryAfter", 1);
    }
    int ofCaller = caller instanceof Caller.SignedIn ? maxOfAccount : maxOfAddress;
    if (byCaller.merge(key, 1, Integer::sum) > ofCaller) {
      leave(key);
      throw Problem.of(
              ErrorCode.RATE_LIMITED,
              "At most %d clients of %s may follow repositories at a time on one replica."
                  .formatted(
                      ofCaller,
                      caller instanceof Caller.SignedIn ? "an account" : "a network address"))
          .with("retryAfter", 10);
    }
    if (open.incrementAndGet() > max) {
      open.decrementAndGet();
      leave(key);
      throw Problem.of(
          ErrorCode.UNAVAILABLE, "Too many clients follow repositories on this replica.");
    }
  }
}
