package dev.cairn.mcp;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.AnswerMemory;
import dev.cairn.platform.PageBytes;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Bounds the answers to one request in memory. Its messages run one after the other, pages end
 * early, and what an answer takes is reserved in the heap before it is read. See {@code
 * docs/mcp.md}, Size of answers.
 */
final class AnswerBudget {
  /** Where a request keeps them. */
  static final String KEY = "cairn.mcp.answers";

  private static final int OK = 200;
  private static final int MAX_PAGE = 256 * 1024;
  private static final int MAX_SINGLE = 2 * 1024 * 1024;

  /** A message that waits no longer than this runs by the check of its request. */
  private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

  private final long begunAt = System.nanoTime();
  private final AnswerMemory memory;
  private final MessageRoom room;
  private final String owner;
  private final boolean isAnonymous;
  private final BooleanSupplier isStillValid;
  private final int maxPage;
  private final int maxSingle;
  private final ReentrantLock turn = new ReentrantLock(true);
  private boolean isHeld;
  private long used;

  /**
   * None so far.
   *
   * @param room gives back what they take
   * @param owner whose share they take
   * @param isStillValid whether the token of the request still is
   */
  AnswerBudget(
      AnswerMemory memory,
      MessageRoom room,
      String owner,
      boolean isAnonymous,
      BooleanSupplier isStillValid) {
    this(memory, room, owner, isAnonymous, isStillValid, MAX_PAGE, MAX_SINGLE);
  }

  /**
   * The same with other limits.
   *
   * @param maxPage the bytes of all answers together, without the last one if that is larger
   * @param maxSingle the bytes of one answer to a read
   */
  AnswerBudget(
      AnswerMemory memory,
      MessageRoom room,
      String owner,
      boolean isAnonymous,
      BooleanSupplier isStillValid,
      int maxPage,
      int maxSingle) {
    this.memory = memory;
    this.room = room;
    this.owner = owner;
    this.isAnonymous = isAnonymous;
    this.isStillValid = isStillValid;
    this.maxPage = maxPage;
    this.maxSingle = maxSingle;
  }

  /**
   * Runs a message when those of the same request before it have ended.
   *
   * @throws McpError if meanwhile the connection was closed, or the token has become invalid
   */
  <T> T inTurn(Supplier<T> message) {
    // What waits holds the request's body, too.
    room.workBegan();
    try {
      turn.lock();
      try {
        refuseIfOver();
        return message.get();
      } finally {
        turn.unlock();
      }
    } finally {
      room.workEnded();
    }
  }

  private void refuseIfOver() {
    if (room.isRequestEnded()) {
      throw notCarriedOut("The connection was closed");
    }
    if (System.nanoTime() - begunAt > FRESH_NANOS && !isStillValid.getAsBoolean()) {
      throw notCarriedOut("The token was revoked or has expired, or its session was ended");
    }
  }

  private static McpError notCarriedOut(String why) {
    return McpError.of(OK, McpError.INVALID_REQUEST, why + ": this message was not carried out.");
  }

  /** Reads with room for the answer, so that whatever waits for room holds nothing that it read. */
  <T> T read(Supplier<T> read) {
    refuseIfFull();
    hold();
    return PageBytes.within((int) (maxPage - used), read);
  }

  /** Writes without room, which a commit that waits for its turn would take from others. */
  <T> T write(Supplier<T> write) {
    refuseIfFull();
    return write.get();
  }

  /** Counts the answer to a read, before it is written as a result. */
  void takeRead(long bytes) {
    if (bytes > maxSingle) {
      throw Problem.of(
              ErrorCode.PAYLOAD_TOO_LARGE,
              "The answer has %,d bytes, and an answer over MCP at most %,d."
                  .formatted(bytes, maxSingle))
          .hint("Ask for less, with a smaller `limit` or more filters, or read it by REST.");
    }
    take(bytes);
  }

  /** Counts the answer to a write, which is there whatever its size. */
  void takeWritten(long bytes) {
    try {
      hold();
      take(bytes);
    } catch (Problem e) {
      throw Problem.of(
              e.code(),
              "The call was carried out, but there is not enough memory to return its answer of %,d bytes."
                  .formatted(bytes))
          .hint("Do not call again; read what was written.");
    }
  }

  private void take(long bytes) {
    used += bytes;
    if (used > maxPage) {
      // It is the last one of this request, so this is the only time.
      room.hold(memory.holdLarge(owner, bytes));
    }
  }

  private void hold() {
    if (!isHeld) {
      room.hold(memory.hold(owner, isAnonymous, maxPage));
      isHeld = true;
    }
  }

  private void refuseIfFull() {
    if (used >= maxPage) {
      throw Problem.of(
              ErrorCode.PAYLOAD_TOO_LARGE,
              "This message was not carried out: the answers to the messages before it have %,d bytes, and those of one request have %,d together."
                  .formatted(used, maxPage))
          .hint("Send this message again by itself.");
    }
  }
}
