package dev.cairn.platform.memory;

import dev.cairn.model.Problem;

/**
 * Counts what is kept of a body that is read part by part, in the room of all requests that arrive
 * and within the share of its caller: unfinished lines, and lines that wait to be applied. What is
 * kept may be ended for others, except while it is used. For one virtual thread. See {@code
 * docs/limits.md}, Slow requests.
 */
public interface KeptBytes extends AutoCloseable {
  /** Work that may throw an exception. */
  @FunctionalInterface
  interface Work<E extends Exception> {
    /** Does the work. */
    void run() throws E;
  }

  /**
   * Counts bytes before they are kept.
   *
   * @throws Problem {@code UNAVAILABLE} if there is no room for them, or what is kept was ended for
   *     others; all of it must be dropped then
   */
  void keep(int more);

  /** Counts bytes no longer, which are not kept any longer. */
  void drop(int fewer);

  /**
   * Whether more bytes find room without anything being ended for them. If not, what can be used up
   * should be.
   */
  boolean fits(int more);

  /**
   * Requires that what is kept was not ended for others.
   *
   * @throws Problem {@code UNAVAILABLE} if it was
   */
  void requireRoom();

  /**
   * Does work with what is kept, which is not ended meanwhile.
   *
   * @throws Problem {@code UNAVAILABLE} if it was ended before
   */
  <E extends Exception> void whileUsed(Work<E> work) throws E;

  /** Counts nothing any longer. */
  @Override
  void close();
}
