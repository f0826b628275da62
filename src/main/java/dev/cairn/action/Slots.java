package dev.cairn.action;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * The places for attempts that this replica has: for each kind of executor, shared by repositories,
 * their hosts, and the targets of each host. A target is in doubt while a call of it takes long, or
 * its circuit was open when its attempt began; such targets leave a quarter of each share to the
 * others, and have places of their own at their host. So a target that hangs does not delay others.
 * {@code docs/actions.md}, Workers, has the rules.
 */
final class Slots {
  /** A call that takes longer puts its target in doubt. */
  static final Duration PROMPT = Duration.ofMillis(300);

  private static final int SHARE_OF_REPOSITORY = 4;
  private static final int SHARE_OF_HOST = 8;
  private static final int SHARE_KEPT_FROM_DOUBT = 4;

  /** Commands may take minutes without being in doubt. */
  private static final String SPRITE = "sprite";

  private final Map<String, Integer> most;
  private final LongSupplier nanos;
  private final Set<Place> taken = new HashSet<>();

  /** A target of a repository. */
  record Target(UUID repoId, String name, String kind) {
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

  /** Attempts of a queue that may begin; their places are taken already. */
  record Grant(RunQueue.TargetQueue queue, List<Place> places) {}

  /**
   * Whoever shares places: the targets of a host, the hosts of a repository, or all repositories.
   *
   * @param repoId null for all repositories
   * @param name the host; the kind of executor if the share is that of a repository or of all
   * @param inDoubt whether it is the share of the targets that are in doubt
   */
  record Share(UUID repoId, String name, boolean inDoubt) {}

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
   * Distributes the free places among queues, one to each in turn. Queues come first whose
   * repository, and then whose target, has the fewest attempts.
   *
   * @param atOnce how many places at most
   */
  synchronized List<Grant> grant(List<RunQueue.TargetQueue> queues, int atOnce) {
    var usage = new Usage();
    var granted = new LinkedHashMap<RunQueue.TargetQueue, Grant>();
    var open = new ArrayList<>(queues);
    open.sort(
        Comparator.<RunQueue.TargetQueue>comparingInt(queue -> usage.ofRepository(queue.target()))
            .thenComparingInt(queue -> usage.ofTarget(queue.target())));
    int left = atOnce;
    while (left > 0 && !open.isEmpty()) {
      for (var iterator = open.iterator(); left > 0 && iterator.hasNext(); ) {
        var queue = iterator.next();
        if (!usage.hasRoom(queue.target(), queue.isOpen())) {
          iterator.remove();
          continue;
        }
        var place = new Place(queue.target(), queue.isOpen(), nanos.getAsLong());
        taken.add(place);
        usage.count(place);
        granted.computeIfAbsent(queue, q -> new Grant(q, new ArrayList<>())).places().add(place);
        left--;
        if (queue.probes()) {
          iterator.remove();
        }
      }
    }
    return List.copyOf(granted.values());
  }

  /**
   * Gives a place back.
   *
   * @return whether its kind had no room until now
   */
  synchronized boolean release(Place place) {
    var usage = new Usage();
    var kind = place.target().kind();
    boolean wasFull = !usage.hasKindRoom(kind, false) || !usage.hasKindRoom(kind, true);
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
      byShare.merge(new Share(target.repoId(), target.kind(), doubt), 1, Integer::sum);
      byShare.merge(new Share(target.repoId(), target.host(), doubt), 1, Integer::sum);
    }

    int ofTarget(Target target) {
      return byTarget.getOrDefault(target, 0);
    }

    int ofRepository(Target target) {
      return of(target.repoId(), target.kind(), true) + of(target.repoId(), target.kind(), false);
    }

    private int of(UUID repoId, String name, boolean doubt) {
      return byShare.getOrDefault(new Share(repoId, name, doubt), 0);
    }

    /** One target has no more of its host's places than it leaves to the others. */
    boolean hasRoom(Target target, boolean isOpen) {
      boolean doubt = isOpen || inDoubt.contains(target);
      int left = share(target.kind(), SHARE_OF_HOST) - of(target.repoId(), target.host(), doubt);
      return hasKindRoom(target.kind(), doubt)
          && hasRepositoryRoom(target, doubt)
          && left > 0
          && (ofTarget(target) == 0 || ofTarget(target) < left);
    }

    boolean hasKindRoom(String kind, boolean doubt) {
      return hasRoom(null, kind, most.get(kind), doubt);
    }

    boolean hasRepositoryRoom(Target target, boolean doubt) {
      return hasRoom(
          target.repoId(), target.kind(), share(target.kind(), SHARE_OF_REPOSITORY), doubt);
    }

    boolean hasHostRoom(Target target, boolean doubt) {
      return of(target.repoId(), target.host(), doubt) < share(target.kind(), SHARE_OF_HOST);
    }

    private boolean hasRoom(UUID repoId, String name, int limit, boolean doubt) {
      int doubtful = of(repoId, name, true);
      return doubtful + of(repoId, name, false) < limit
          && (!doubt || doubtful < Math.max(1, limit - limit / SHARE_KEPT_FROM_DOUBT));
    }

    private int share(String kind, int share) {
      return Math.max(1, most.get(kind) / share);
    }
  }
}
