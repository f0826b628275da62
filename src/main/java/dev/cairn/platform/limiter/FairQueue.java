package dev.cairn.platform.limiter;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Queue;
import java.util.SequencedMap;

/**
 * A queue in which groups take turns, and within a group its subgroups; the elements of the
 * narrowest group come in order of arrival. So whoever adds many delays the others by one element
 * in each round. Unlike {@link FairShare}, it blocks no thread, and taking an element takes the
 * same time however long the queue is. See {@code docs/limits.md}, Database connections.
 */
public final class FairQueue<T> {
  private final SequencedMap<String, FairQueue<T>> groups = new LinkedHashMap<>();
  private final Queue<T> elements = new ArrayDeque<>();

  /**
   * Adds an element.
   *
   * @param levels the groups that it belongs to, the widest first; the same number for all elements
   *     of a group
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
