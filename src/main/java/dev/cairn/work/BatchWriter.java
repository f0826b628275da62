package dev.cairn.work;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Writes what several threads bring at the same time in one statement: the thread that holds the
 * lock writes for all that wait for it.
 *
 * @param <T> what is written
 */
public final class BatchWriter<T> {
  private static final int MAX_BATCH = 200;

  private final Function<T, UUID> id;
  private final Function<List<T>, Set<UUID>> write;
  private final ConcurrentLinkedQueue<Waiting<T>> queue = new ConcurrentLinkedQueue<>();
  private final ReentrantLock writing = new ReentrantLock();

  /** An element on its way; its state belongs to the thread that holds the lock. */
  private static final class Waiting<T> {
    final T element;
    boolean isOver;
    boolean isWritten;
    RuntimeException failure;

    Waiting(T element) {
      this.element = element;
    }
  }

  /**
   * @param id of the row that an element changes
   * @param write writes a batch in the order of the ids and returns the ids of the rows that it
   *     changed
   */
  public BatchWriter(Function<T, UUID> id, Function<List<T>, Set<UUID>> write) {
    this.id = id;
    this.write = write;
  }

  /**
   * Writes an element, with others in one batch.
   *
   * @return whether its row was changed
   * @throws RuntimeException if the batch could not be written
   */
  public boolean write(T element) {
    var mine = new Waiting<>(element);
    queue.add(mine);
    writing.lock();
    try {
      while (!mine.isOver) {
        writeNext();
      }
    } finally {
      writing.unlock();
    }
    if (mine.failure != null) {
      throw mine.failure;
    }
    return mine.isWritten;
  }

  private void writeNext() {
    var batch = new ArrayList<Waiting<T>>();
    for (var next = queue.poll(); next != null; next = queue.poll()) {
      batch.add(next);
      if (batch.size() == MAX_BATCH) {
        break;
      }
    }
    try {
      // In the order in which leases are renewed, so that neither waits for the other one.
      var written =
          write.apply(
              batch.stream().map(each -> each.element).sorted(Comparator.comparing(id)).toList());
      batch.forEach(each -> each.isWritten = written.contains(id.apply(each.element)));
    } catch (RuntimeException e) {
      batch.forEach(each -> each.failure = e);
    } catch (Error e) {
      batch.forEach(each -> each.failure = new IllegalStateException("the batch failed", e));
      throw e;
    } finally {
      // Otherwise those that wait for it would wait for ever.
      batch.forEach(each -> each.isOver = true);
    }
  }
}
