package dev.cairn.work;

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
 * The slots for attempts that this replica has: for each executor, shared by tenants, their
 * repositories, their hosts, and the targets of each host, within {@link SlotLimits}. A target is
 * in doubt while an attempt at it takes long, or if its circuit was open when its attempt began;
 * such targets leave a part of each share to the others, and have slots of their own at their host.
 * So neither a tenant nor a target that hangs delays others. {@code docs/actions.md}, Workers, has
 * the rules.
 */
public final class Slots {
  /** A call that takes longer puts its target in doubt. */
  public static final Duration SLOW_AFTER = Duration.ofMillis(300);

  /** This part of the slots of a repository, and of all slots, is kept from targets in doubt. */
  private static final int PART_OF_REPOSITORY_KEPT_FROM_DOUBT = 4;

  private static final int PART_OF_ALL_KEPT_FROM_DOUBT = 8;

  /** A tenant has at most this many times the slots that stay free. */
  private static final int MAX_TIMES_FREE = 3;

  private final Map<String, SlotLimits> limits;
  private final LongSupplier nanos;
  private final Set<Slot> taken = new HashSet<>();

  /** The slot of one attempt at a target. Equality is identity: two attempts have two slots. */
  public static final class Slot {
    private final WorkTarget target;
    private final boolean isOpen;
    private final long since;

    private Slot(WorkTarget target, boolean isOpen, long since) {
      this.target = target;
      this.isOpen = isOpen;
      this.since = since;
    }

    /** The target of the attempt. */
    public WorkTarget target() {
      return target;
    }
  }

  /**
   * The active attempts of a tenant by one executor, and its queues in the order in which they get
   * slots.
   */
  private static final class Candidate {
    private final Deque<TargetQueue> queues = new ArrayDeque<>();
    private int active;

    Candidate(int active) {
      this.active = active;
    }
  }

  /** Attempts of a queue that may begin; their slots are taken already. */
  public record Grant(TargetQueue queue, List<Slot> slots) {}

  /**
   * Who shares slots: the targets of a host, the hosts of a repository, the repositories of a
   * tenant, or all tenants.
   *
   * @param ownerId the repository or the tenant; null for all tenants
   * @param name the host; the executor for any other share
   * @param isInDoubt whether it is the share of the targets that are in doubt
   */
  public record Share(UUID ownerId, String name, boolean isInDoubt) {}

  /**
   * What has no free slot.
   *
   * @param targets those with active attempts
   */
  public record Full(Set<Share> shares, Set<WorkTarget> targets) {}

  /**
   * Slots of which none is taken.
   *
   * @param limits by executor
   */
  public Slots(Map<String, SlotLimits> limits) {
    this(limits, System::nanoTime);
  }

  Slots(Map<String, SlotLimits> limits, LongSupplier nanos) {
    this.limits = Map.copyOf(limits);
    this.nanos = nanos;
  }

  /** What has no free slot at this moment. */
  public synchronized Full full() {
    var usage = new Usage();
    var shares = new HashSet<Share>();
    var targets = new HashSet<WorkTarget>();
    for (var executor : limits.keySet()) {
      for (var inDoubt : List.of(false, true)) {
        if (!usage.hasExecutorRoom(executor, inDoubt)) {
          shares.add(new Share(null, executor, inDoubt));
        }
      }
    }
    for (var target : usage.byTarget.keySet()) {
      for (var inDoubt : List.of(false, true)) {
        if (!usage.hasTenantRoom(target, inDoubt)) {
          shares.add(new Share(target.tenantId(), target.executor(), inDoubt));
        }
        if (!usage.hasRepositoryRoom(target, inDoubt)) {
          shares.add(new Share(target.repoId(), target.executor(), inDoubt));
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

  /** Whether a host has no slot left for targets that are not in doubt: soon one may be. */
  synchronized boolean isCrowded() {
    var usage = new Usage();
    return usage.byTarget.keySet().stream().anyMatch(target -> !usage.hasHostRoom(target, false));
  }

  /**
   * Distributes the free slots. Each goes to the tenant with the fewest attempts by its executor,
   * and there to one queue after the other, beginning with those whose repository, and then whose
   * target, has the fewest.
   *
   * @param max how many slots at most
   */
  public synchronized List<Grant> grant(List<TargetQueue> queues, int max) {
    var usage = new Usage();
    int before = taken.size();
    var granted = new LinkedHashMap<TargetQueue, Grant>();
    var open = new ArrayList<>(candidates(queues, usage));
    while (taken.size() - before < max && !open.isEmpty()) {
      var next = Collections.min(open, Comparator.comparingInt(each -> each.active));
      var queue = next.queues.remove();
      if (usage.hasRoom(queue.target(), queue.isOpen())) {
        var slot = new Slot(queue.target(), queue.isOpen(), nanos.getAsLong());
        taken.add(slot);
        usage.count(slot);
        next.active++;
        granted.computeIfAbsent(queue, q -> new Grant(q, new ArrayList<>())).slots().add(slot);
        if (!queue.isProbe()) {
          next.queues.add(queue);
        }
      }
      if (next.queues.isEmpty()) {
        open.remove(next);
      }
    }
    return List.copyOf(granted.values());
  }

  private static Collection<Candidate> candidates(List<TargetQueue> queues, Usage usage) {
    var candidates = new LinkedHashMap<List<Object>, Candidate>();
    queues.stream()
        .sorted(
            Comparator.<TargetQueue>comparingInt(queue -> usage.ofRepository(queue.target()))
                .thenComparingInt(queue -> usage.ofTarget(queue.target())))
        .forEach(
            queue ->
                candidates
                    .computeIfAbsent(
                        List.of(queue.target().tenantId(), queue.target().executor()),
                        _ -> new Candidate(usage.ofTenant(queue.target())))
                    .queues
                    .add(queue));
    return candidates.values();
  }

  /**
   * Gives a slot back.
   *
   * @return whether its executor, or a tenant with attempts by it, had no room until now
   */
  public synchronized boolean release(Slot slot) {
    var usage = new Usage();
    var executor = slot.target().executor();
    boolean wasFull = Stream.of(false, true).anyMatch(inDoubt -> usage.isFull(executor, inDoubt));
    taken.remove(slot);
    return wasFull;
  }

  /** How many slots are taken. */
  synchronized int taken() {
    return taken.size();
  }

  /** How many slots each target and each share has at this moment. */
  private final class Usage {
    private final Set<WorkTarget> inDoubt = new HashSet<>();
    private final Map<WorkTarget, Integer> byTarget = new HashMap<>();
    private final Map<Share, Integer> byShare = new HashMap<>();

    Usage() {
      long slow = nanos.getAsLong() - SLOW_AFTER.toNanos();
      for (var slot : taken) {
        boolean isSlow = limitsOf(slot.target()).detectsSlowTargets() && slot.since - slow <= 0;
        if (slot.isOpen || isSlow) {
          inDoubt.add(slot.target());
        }
      }
      taken.forEach(this::count);
    }

    /** Counts a slot: in its shares, targets in doubt are counted separately from all others. */
    void count(Slot slot) {
      var target = slot.target();
      boolean doubt = slot.isOpen || inDoubt.contains(target);
      byTarget.merge(target, 1, Integer::sum);
      // If all work of a tenant is one target, its shares are the same one, which counts once.
      Stream.of(
              new Share(null, target.executor(), doubt),
              new Share(target.tenantId(), target.executor(), doubt),
              new Share(target.repoId(), target.executor(), doubt),
              new Share(target.repoId(), target.host(), doubt))
          .distinct()
          .forEach(share -> byShare.merge(share, 1, Integer::sum));
    }

    int ofTarget(WorkTarget target) {
      return byTarget.getOrDefault(target, 0);
    }

    int ofRepository(WorkTarget target) {
      return of(target.repoId(), target.executor());
    }

    int ofTenant(WorkTarget target) {
      return of(target.tenantId(), target.executor());
    }

    private int of(UUID ownerId, String name) {
      return of(ownerId, name, true) + of(ownerId, name, false);
    }

    private int of(UUID ownerId, String name, boolean doubt) {
      return byShare.getOrDefault(new Share(ownerId, name, doubt), 0);
    }

    /** Whether a tenant, or all of them, can begin no attempt by an executor. */
    boolean isFull(String executor, boolean doubt) {
      return !hasExecutorRoom(executor, doubt)
          || byTarget.keySet().stream()
              .anyMatch(
                  target -> target.executor().equals(executor) && !hasTenantRoom(target, doubt));
    }

    /** One target has no more of its host's slots than it leaves to the others. */
    boolean hasRoom(WorkTarget target, boolean isOpen) {
      boolean doubt = isOpen || inDoubt.contains(target);
      int left = limitsOf(target).ofHost() - of(target.repoId(), target.host(), doubt);
      return hasExecutorRoom(target.executor(), doubt)
          && hasTenantRoom(target, doubt)
          && hasRepositoryRoom(target, doubt)
          && left > 0
          && (ofTarget(target) == 0 || ofTarget(target) < left);
    }

    boolean hasExecutorRoom(String executor, boolean doubt) {
      return hasRoom(
          null, executor, limits.get(executor).total(), PART_OF_ALL_KEPT_FROM_DOUBT, doubt);
    }

    /**
     * Whether enough stays free if the tenant begins one more. Targets in doubt have at most half,
     * the others what the tenant may have in all. A tenant without active attempts may have any
     * slot that is free.
     */
    boolean hasTenantRoom(WorkTarget target, boolean doubt) {
      int active = ofTenant(target);
      int free = limitsOf(target).total() - of(null, target.executor());
      return active == 0
          || !limitsOf(target).leavesFreeSlots()
          || (active < MAX_TIMES_FREE * (free - 1)
              && (!doubt || of(target.tenantId(), target.executor(), true) < free));
    }

    boolean hasRepositoryRoom(WorkTarget target, boolean doubt) {
      return hasRoom(
          target.repoId(),
          target.executor(),
          limitsOf(target).ofRepository(),
          PART_OF_REPOSITORY_KEPT_FROM_DOUBT,
          doubt);
    }

    boolean hasHostRoom(WorkTarget target, boolean doubt) {
      return of(target.repoId(), target.host(), doubt) < limitsOf(target).ofHost();
    }

    private boolean hasRoom(UUID ownerId, String name, int limit, int partKept, boolean doubt) {
      return of(ownerId, name) < limit
          && (!doubt || of(ownerId, name, true) < Math.max(1, limit - limit / partKept));
    }

    private SlotLimits limitsOf(WorkTarget target) {
      return limits.get(target.executor());
    }
  }
}
