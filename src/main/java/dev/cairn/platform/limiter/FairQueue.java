package dev.cairn.platform.limiter;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Queue;
import java.util.SequencedMap;

/**
 * A queue in which groups take turns, in each group its own groups, and at the end each waits for
 * those before it: whoever puts much into it delays the others by one element in each round. Unlike
 * {@link FairShare} it holds no thread, and taking from it costs the same however long it is. See
 * {@code docs/limits.md}, Fair shares.
 */
public final class FairQueue<T> {
  private final SequencedMap<String, FairQueue<T>> groups = new LinkedHashMap<>();
  private final Queue<T> elements = new ArrayDeque<>();

  /**
   * Adds an element.
   *
   * @param levels the groups that it belongs to, the widest first; always as many
   */
  public synchronized void add(List<String> levels, T element) {
    if (levels.isEmpty()) {
      elements.add(element);
    } else {
      groups
          .computeIfAbsent(levels.getFirst(), _ -> new FairQueue<>())
          .add(levels.subList(1, levels.size()), element);
    }
  }

  /** Takes the next element; null if there is none. */
  public synchronized T poll() {
    var turn = groups.pollFirstEntry();
    if (turn == null) {
      return elements.poll();
    }
    var element = turn.getValue().poll();
    if (!turn.getValue().isEmpty()) {
      groups.putLast(turn.getKey(), turn.getValue());
    }
    return element;
  }

  private boolean isEmpty() {
    return groups.isEmpty() && elements.isEmpty();
  }
}
