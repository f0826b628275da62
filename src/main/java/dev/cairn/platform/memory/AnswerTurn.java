package dev.cairn.platform.memory;

import java.util.function.Supplier;

/**
 * The turn of a request of REST: from its first read until its answer is passed to the connection,
 * which counts it from then on. That long, what was read and the answer are in memory, even if they
 * hold no room of {@link PageMemory}.
 */
public final class AnswerTurn {
  private AnswerTurn() {}

  /**
   * Begins the turn of the request at hand, unless it has begun. Answers over MCP, which have a
   * room of their own, and work in the background have none.
   *
   * @param begin waits for the turn; what it returns ends the turn, on the event loop
   */
  public static void begin(Supplier<? extends Runnable> begin) {
    if (!PageBytes.isOfMessage()) {
      PageRoom.current().ifPresent(room -> room.keep(begin));
    }
  }

  /**
   * Ends the turn of the request at hand, if it has one: for a request that does not answer yet,
   * but now waits for something that may take long. Its next read begins another turn.
   */
  public static void end() {
    PageRoom.current().ifPresent(PageRoom::endTurn);
  }
}
