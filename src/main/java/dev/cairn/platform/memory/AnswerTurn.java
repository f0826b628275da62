package dev.cairn.platform.memory;

import java.util.function.Supplier;

/**
 * A turn that a request of REST has from its first read until its answer is handed to the
 * connection, which counts it from then on: what was read and what is written of it stay in memory
 * that long, also if they take no room of {@link PageMemory}.
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
}
