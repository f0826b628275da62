package dev.cairn.mcp;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.AnswerMemory;
import dev.cairn.platform.PageBytes;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Bounds the memory of the answers to one HTTP request. Its messages run one after the other, pages
 * end early, and the memory of an answer is reserved before it is read. See {@code docs/mcp.md},
 * Size of answers.
 */
final class AnswerBudget {
  private static final int OK = 200;
  private static final int MAX_PAGE = 256 * 1024;
  private static final int MAX_SINGLE = 2 * 1024 * 1024;

  /** A message that waits no longer than this relies on the authentication of its request. */
  private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

  private final long begunAt = System.nanoTime();
  private final AnswerMemory memory;
  private final MessageRoom room;
  private final String owner;
  private final boolean isAnonymous;
  private final BooleanSupplier isStillValid;
  private final int maxPage;
  private final int maxSingle;
  private boolean isHeld;
  private long used;

  /**
   * Of a request without answers so far.
   *
   * @param room gives the memory back
   * @param owner whose share of the memory is used
   * @param isStillValid whether the token of the request still is valid
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
   * To be called before each message.
   *
   * @throws McpError if meanwhile the connection was closed, or the token has become invalid
   */
  void requireStillAllowed() {
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
