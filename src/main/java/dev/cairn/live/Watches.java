package dev.cairn.live;

import dev.cairn.access.Caller;
import dev.cairn.access.OngoingReads;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.memory.HeapShare;
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

/**
 * All who follow repositories on this replica: who may, in the {@link ClientPlaces} of accounts and
 * of network addresses, what they keep, in a {@link ClientRoom} of each, and which of them a commit
 * wakes. See {@code docs/live.md}, Limits.
 */
@Singleton
class Watches {
  private final Shares ofAccounts;
  private final Shares ofAddresses;
  private final ConcurrentMap<UUID, Followed> byRepository = new ConcurrentHashMap<>();
  private final Set<Watch> all = ConcurrentHashMap.newKeySet();
  private volatile boolean stops;

  /** What the clients of all accounts share, or those of all network addresses. */
  private record Shares(ClientPlaces places, ClientRoom room) {
    static Shares of(int max, int maxOfCaller, HeapShare heap, ClientPlaces.Callers callers) {
      return new Shares(
          new ClientPlaces(max, maxOfCaller, callers), new ClientRoom(heap.bytes(), callers));
    }

    /**
     * Takes a place and room; no other client ends for one whose caller has its part of the room.
     */
    void enter(Watch watch, long bytes) {
      room.requirePart(watch, bytes);
      places.take(watch).ifPresent(crowded -> crowded.end(Ending.CROWDED));
      room.keep(watch, bytes);
    }

    void leave(Watch watch) {
      places.leave(watch);
      room.leave(watch);
    }
  }

  Watches(CairnConfig config, MeterRegistry metrics) {
    var limits = config.limits();
    this.ofAccounts =
        Shares.of(
            limits.liveClients(),
            limits.liveClientsPerAccount(),
            HeapShare.LIVE_CLIENTS_OF_ACCOUNTS,
            new ClientPlaces.Callers("an account", "accounts"));
    this.ofAddresses =
        Shares.of(
            Math.max(1, limits.liveClients() / 2),
            limits.liveClientsPerAddress(),
            HeapShare.LIVE_CLIENTS_OF_ANONYMOUS,
            new ClientPlaces.Callers("a network address", "network addresses"));
    Gauge.builder("cairn.live.clients", all, Set::size)
        .description("Clients that follow repositories on this replica")
        .register(metrics);
    Gauge.builder("cairn.live.clients.bytes", this, Watches::bytes)
        .baseUnit("bytes")
        .description("Bytes that the clients that follow repositories keep: queries, and patterns")
        .register(metrics);
  }

  private long bytes() {
    return ofAccounts.room().used() + ofAddresses.room().used();
  }

  /**
   * Begins to follow repositories; they are at least at the sequence number of their access.
   * Another client may end for it, see {@link ClientPlaces}.
   *
   * @param accesses granted for {@code repo:read}
   * @param bytes that the client keeps as long as it follows them
   * @param hangUp closes the connection of the client
   * @throws Problem as {@link ClientPlaces#take} and {@link ClientRoom#keep}; {@code UNAVAILABLE}
   *     if this replica stops
   */
  Watch open(List<RepositoryAccess> accesses, long bytes, Runnable hangUp) {
    if (stops) {
      throw Problem.of(ErrorCode.UNAVAILABLE, "This replica stops.").with("retryAfter", 1);
    }
    var caller = counted(accesses);
    var shares = caller instanceof Caller.SignedIn ? ofAccounts : ofAddresses;
    var followed = accesses.stream().map(this::follow).toList();
    var reads = accesses.stream().map(OngoingReads.Read::of).toList();
    var watch =
        new Watch(
            caller.limitKey(),
            followed,
            reads,
            hangUp,
            shares.room(),
            closed -> close(closed, followed, shares));
    try {
      shares.enter(watch, bytes);
    } catch (Problem e) {
      watch.close();
      throw e;
    }
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

  private void close(Watch watch, List<Followed> followed, Shares shares) {
    all.remove(watch);
    followed.forEach(each -> each.watches().remove(watch));
    for (var read : watch.reads()) {
      byRepository.computeIfPresent(read.repoId(), (_, present) -> present.left());
    }
    shares.leave(watch);
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
}
