package dev.cairn.action;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * The places for attempts that this replica has: for each kind of executor, shared by tenants,
 * their repositories, their hosts, and the targets of each host. A tenant always leaves places free
 * for the others. A target is in doubt while a call of it takes long, or its circuit was open when
 * its attempt began; such targets leave a part of each share to the others, and have places of
 * their own at their host. So neither a tenant nor a target that hangs delays others. {@code
 * docs/actions.md}, Workers, has the rules.
 */
final class Slots {
  /** A call that takes longer puts its target in doubt. */
  static final Duration PROMPT = Duration.ofMillis(300);

  private static final int SHARE_OF_REPOSITORY = 4;
  private static final int SHARE_OF_HOST = 8;
  private static final int SHARE_OF_REPOSITORY_KEPT_FROM_DOUBT = 4;
  private static final int SHARE_OF_ALL_KEPT_FROM_DOUBT = 8;

  /** A tenant has at most as many times the places that stay free. */
  private static final int MAX_TIMES_FREE = 3;

  /** Commands may take minutes without being in doubt. */
  private static final String SPRITE = "sprite";

  private final Map<String, Integer> most;
  private final LongSupplier nanos;
  private final Set<Place> taken = new HashSet<>();

  /**
   * A target of a repository.
   *
   * @param tenantId the account that created the repository's organization; the organization itself
   *     if that account is gone
   */
  record Target(UUID tenantId, UUID repoId, String name, String kind) {
    /** Where it is; limits of concurrency are for hosts. */
    String host() {
      int end = name.indexOf('#');
      return end < 0 ? name : name.substring(0, end);
    }
  }

  /** The place of one attempt at a target. Equality is identity: two attempts have two places. */
  static final class Place {
    private final Target target;
    private final boolean isOpen;
    private final long since;

    private Place(Target target, boolean isOpen, long since) {
      this.target = target;
      this.isOpen = isOpen;
      this.since = since;
    }

    Target target() {
      return target;
    }
  }

  /** What a tenant has under way of a kind, and its queues in the order of their turns. */
  private static final class Candidate {
    private final Deque<RunQueue.TargetQueue> queues = new ArrayDeque<>();
    private int underWay;

    Candidate(int underWay) {
      this.underWay = underWay;
    }
  }

  /** Attempts of a queue that may begin; their places are taken already. */
  record Grant(RunQueue.TargetQueue queue, List<Place> places) {}

  /**
   * Whoever shares places: the targets of a host, the hosts of a repository, the repositories of a
   * tenant, or all tenants.
   *
   * @param ownerId the repository or the tenant; null for all tenants
   * @param name the host; the kind of executor for any other share
   * @param inDoubt whether it is the share of the targets that are in doubt
   */
  record Share(UUID ownerId, String name, boolean inDoubt) {}

  /**
   * What has no free place.
   *
   * @param targets those with attempts under way
   */
  record Full(Set<Share> shares, Set<Target> targets) {}

  /**
   * @param most how many attempts of each kind there may be
   */
  Slots(Map<String, Integer> most) {
    this(most, System::nanoTime);
  }

  Slots(Map<String, Integer> most, LongSupplier nanos) {
    this.most = Map.copyOf(most);
    this.nanos = nanos;
  }

  /** What has no free place at this moment. */
  synchronized Full full() {
    var usage = new Usage();
    var shares = new HashSet<Share>();
    var targets = new HashSet<Target>();
    for (var kind : most.keySet()) {
      for (var inDoubt : List.of(false, true)) {
        if (!usage.hasKindRoom(kind, inDoubt)) {
          shares.add(new Share(null, kind, inDoubt));
        }
      }
    }
    for (var target : usage.byTarget.keySet()) {
      for (var inDoubt : List.of(false, true)) {
        if (!usage.hasTenantRoom(target, inDoubt)) {
          shares.add(new Share(target.tenantId(), target.kind(), inDoubt));
        }
        if (!usage.hasRepositoryRoom(target, inDoubt)) {
          shares.add(new Share(target.repoId(), target.kind(), inDoubt));
        }
        if (!usage.hasHostRoom(target, inDoubt)) {
          shares.add(new Share(target.repoId(), target.host(), inDoubt));
        }
      }
      if (!usage.hasRoom(target, usage.inDoubt.contains(target))) {
        targets.add(target);
      }
    }
    return new Full(shares, targets);
  }

  /** Whether some host has no place left for its prompt targets: soon one may be in doubt. */
  synchronized boolean isCrowded() {
    var usage = new Usage();
    return usage.byTarget.keySet().stream().anyMatch(target -> !usage.hasHostRoom(target, false));
  }

  /**
   * Distributes the free places. Each goes to the tenant with the fewest attempts of its kind, and
   * there to one queue after the other, beginning with those whose repository, and then whose
   * target, has the fewest.
   *
   * @param atOnce how many places at most
   */
  synchronized List<Grant> grant(List<RunQueue.TargetQueue> queues, int atOnce) {
    var usage = new Usage();
    int before = taken.size();
    var granted = new LinkedHashMap<RunQueue.TargetQueue, Grant>();
    var open = new ArrayList<>(candidates(queues, usage));
    while (taken.size() - before < atOnce && !open.isEmpty()) {
      var next = Collections.min(open, Comparator.comparingInt(each -> each.underWay));
      var queue = next.queues.remove();
      if (usage.hasRoom(queue.target(), queue.isOpen())) {
        var place = new Place(queue.target(), queue.isOpen(), nanos.getAsLong());
        taken.add(place);
        usage.count(place);
        next.underWay++;
        granted.computeIfAbsent(queue, q -> new Grant(q, new ArrayList<>())).places().add(place);
        if (!queue.probes()) {
          next.queues.add(queue);
        }
      }
      if (next.queues.isEmpty()) {
        open.remove(next);
      }
    }
    return List.copyOf(granted.values());
  }

  private static Collection<Candidate> candidates(List<RunQueue.TargetQueue> queues, Usage usage) {
    var candidates = new LinkedHashMap<List<Object>, Candidate>();
    queues.stream()
        .sorted(
            Comparator.<RunQueue.TargetQueue>comparingInt(
                    queue -> usage.ofRepository(queue.target()))
                .thenComparingInt(queue -> usage.ofTarget(queue.target())))
        .forEach(
            queue ->
                candidates
                    .computeIfAbsent(
                        List.of(queue.target().tenantId(), queue.target().kind()),
                        _ -> new Candidate(usage.ofTenant(queue.target())))
                    .queues
                    .add(queue));
    return candidates.values();
  }

  /**
   * Gives a place back.
   *
   * @return whether its kind, or a tenant with attempts of its kind, had no room until now
   */
  synchronized boolean release(Place place) {
    var usage = new Usage();
    var kind = place.target().kind();
    boolean wasFull = Stream.of(false, true).anyMatch(inDoubt -> usage.isFull(kind, inDoubt));
    taken.remove(place);
    return wasFull;
  }

  /** How many attempts there are. */
  synchronized int taken() {
    return taken.size();
  }

  /** How many places each target and each share has at this moment. */
  private final class Usage {
    private final Set<Target> inDoubt = new HashSet<>();
    private final Map<Target, Integer> byTarget = new HashMap<>();
    private final Map<Share, Integer> byShare = new HashMap<>();

    Usage() {
      long slow = nanos.getAsLong() - PROMPT.toNanos();
      for (var place : taken) {
        boolean isSlow = !place.target().kind().equals(SPRITE) && place.since - slow <= 0;
        if (place.isOpen || isSlow) {
          inDoubt.add(place.target());
        }
      }
      taken.forEach(this::count);
    }

    /** Counts a place: in its shares, targets in doubt are counted apart from all others. */
    void count(Place place) {
      var target = place.target();
      boolean doubt = place.isOpen || inDoubt.contains(target);
      byTarget.merge(target, 1, Integer::sum);
      byShare.merge(new Share(null, target.kind(), doubt), 1, Integer::sum);
      byShare.merge(new Share(target.tenantId(), target.kind(), doubt), 1, Integer::sum);
      byShare.merge(new Share(target.repoId(), target.kind(), doubt), 1, Integer::sum);
      byShare.merge(new Share(target.repoId(), target.host(), doubt), 1, Integer::sum);
    }

    int ofTarget(Target target) {
      return byTarget.getOrDefault(target, 0);
    }

    int ofRepository(Target target) {
      return of(target.repoId(), target.kind());
    }

    int ofTenant(Target target) {
      return of(target.tenantId(), target.kind());
    }

    private int of(UUID ownerId, String name) {
      return of(ownerId, name, true) + of(ownerId, name, false);
    }

    private int of(UUID ownerId, String name, boolean doubt) {
      return byShare.getOrDefault(new Share(ownerId, name, doubt), 0);
    }

    /** Whether a tenant, or all of them, can begin no attempt of a kind. */
    boolean isFull(String kind, boolean doubt) {
      return !hasKindRoom(kind, doubt)
          || byTarget.keySet().stream()
              .anyMatch(target -> target.kind().equals(kind) && !hasTenantRoom(target, doubt));
    }

    /** One target has no more of its host's places than it leaves to the others. */
    boolean hasRoom(Target target, boolean isOpen) {
      boolean doubt = isOpen || inDoubt.contains(target);
      int left = share(target.kind(), SHARE_OF_HOST) - of(target.repoId(), target.host(), doubt);
      return hasKindRoom(target.kind(), doubt)
          && hasTenantRoom(target, doubt)
          && hasRepositoryRoom(target, doubt)
          && left > 0
          && (ofTarget(target) == 0 || ofTarget(target) < left);
    }

    boolean hasKindRoom(String kind, boolean doubt) {
      return hasRoom(null, kind, most.get(kind), SHARE_OF_ALL_KEPT_FROM_DOUBT, doubt);
    }

    /**
     * Whether enough stays free when the tenant begins one more. Targets in doubt have at most
     * half, the others what the tenant may have in all. One that has none under way may have any
     * place that is free.
     */
    boolean hasTenantRoom(Target target, boolean doubt) {
      int underWay = ofTenant(target);
      int free = most.get(target.kind()) - of(null, target.kind());
      return underWay == 0
          || (underWay < MAX_TIMES_FREE * (free - 1)
              && (!doubt || of(target.tenantId(), target.kind(), true) < free));
    }

    boolean hasRepositoryRoom(Target target, boolean doubt) {
      return hasRoom(
          target.repoId(),
          target.kind(),
          share(target.kind(), SHARE_OF_REPOSITORY),
          SHARE_OF_REPOSITORY_KEPT_FROM_DOUBT,
          doubt);
    }

    boolean hasHostRoom(Target target, boolean doubt) {
      return of(target.repoId(), target.host(), doubt) < share(target.kind(), SHARE_OF_HOST);
    }

    private boolean hasRoom(UUID ownerId, String name, int limit, int shareKept, boolean doubt) {
      return of(ownerId, name) < limit
          && (!doubt || of(ownerId, name, true) < Math.max(1, limit - limit / shareKept));
    }

    private int share(String kind, int share) {
      return Math.max(1, most.get(kind) / share);
    }
  }
}
