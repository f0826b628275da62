package dev.cairn.action;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * What this replica carries out at a time: so many attempts of each kind, of which one repository
 * has a quarter at the most and one target a sixteenth. A target that fails gets half as many with
 * each failure in a row. So one that hangs holds nobody else up.
 */
final class Slots {
  private static final int SHARE_OF_REPOSITORY = 4;
  private static final int SHARE_OF_TARGET = 16;

  private final Map<String, Integer> most;
  private final Map<String, Integer> byKind = new HashMap<>();
  private final Map<Home, Integer> byRepository = new HashMap<>();
  private final Map<Target, Integer> byTarget = new HashMap<>();

  /** A repository, for one kind of executor. */
  record Home(UUID repoId, String kind) {}

  /** A target of a repository. */
  record Target(UUID repoId, String name, String kind) {
    Home home() {
      return new Home(repoId, kind);
    }
  }

  /** So many attempts at a target that may begin; they are taken already. */
  record Grant(Target target, int count) {}

  /**
   * What there is no room for.
   *
   * @param kinds the kinds that there is room for
   */
  record Full(Set<String> kinds, Set<Home> repositories, Set<Target> targets) {}

  /**
   * @param most how many attempts of each kind there may be
   */
  Slots(Map<String, Integer> most) {
    this.most = Map.copyOf(most);
  }

  /** What there is no room left for. */
  synchronized Full full() {
    return new Full(
        most.keySet().stream().filter(kind -> free(kind) > 0).collect(Collectors.toSet()),
        full(byRepository, home -> share(home.kind(), SHARE_OF_REPOSITORY)),
        full(byTarget, target -> share(target.kind(), SHARE_OF_TARGET)));
  }

  private static <K> Set<K> full(Map<K, Integer> taken, ToIntFunction<K> most) {
    return taken.entrySet().stream()
        .filter(entry -> entry.getValue() >= most.applyAsInt(entry.getKey()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  private int free(String kind) {
    return most.get(kind) - byKind.getOrDefault(kind, 0);
  }

  private int share(String kind, int share) {
    return Math.max(1, most.get(kind) / share);
  }

  /**
   * Deals what is free out among lines: one to each in turn, those first whose repository has
   * least.
   *
   * @param atOnce how many at the most
   */
  synchronized List<Grant> grant(List<RunQueue.Line> lines, int atOnce) {
    var granted = new LinkedHashMap<Target, Integer>();
    var open = new ArrayList<>(lines);
    open.sort(Comparator.comparingInt(line -> byRepository.getOrDefault(line.slot().home(), 0)));
    int left = atOnce;
    while (left > 0 && !open.isEmpty()) {
      for (var iterator = open.iterator(); left > 0 && iterator.hasNext(); ) {
        var line = iterator.next();
        if (hasRoom(line)) {
          take(line.slot());
          granted.merge(line.slot(), 1, Integer::sum);
          left--;
        } else {
          iterator.remove();
        }
      }
    }
    return granted.entrySet().stream().map(e -> new Grant(e.getKey(), e.getValue())).toList();
  }

  private boolean hasRoom(RunQueue.Line line) {
    var target = line.slot();
    int ofTarget = share(target.kind(), SHARE_OF_TARGET) >> Math.min(line.failures(), 30);
    return free(target.kind()) > 0
        && byRepository.getOrDefault(target.home(), 0) < share(target.kind(), SHARE_OF_REPOSITORY)
        && byTarget.getOrDefault(target, 0) < Math.max(1, ofTarget);
  }

  private void take(Target target) {
    byKind.merge(target.kind(), 1, Integer::sum);
    byRepository.merge(target.home(), 1, Integer::sum);
    byTarget.merge(target, 1, Integer::sum);
  }

  /**
   * Gives some of a target's back.
   *
   * @return whether its kind had no room until now
   */
  synchronized boolean release(Target target, int count) {
    boolean wasFull = free(target.kind()) == 0;
    release(byKind, target.kind(), count);
    release(byRepository, target.home(), count);
    release(byTarget, target, count);
    return wasFull;
  }

  private static <K> void release(Map<K, Integer> taken, K key, int count) {
    taken.computeIfPresent(key, (_, present) -> present == count ? null : present - count);
  }

  /** How many attempts there are. */
  synchronized int taken() {
    return byKind.values().stream().mapToInt(Integer::intValue).sum();
  }
}
