package dev.cairn.mcp;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.memory.AnswerMemory;
import dev.cairn.platform.memory.PageBytes;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Bounds the memory of the answers to one HTTP request. Its messages run one by one, pages are cut
 * to the remaining size, and the memory of an answer is reserved before it is read. See {@code
 * docs/mcp.md}, Size of answers.
 */
final class AnswerBudget {
  private static final int OK = 200;
  private static final int MAX_ALL_BYTES = 256 * 1024;
  private static final int MAX_SINGLE_BYTES = 2 * 1024 * 1024;

  /** Maximum bytes of the answer to a commit; 10,000 operations that each have a warning fit. */
  static final int MAX_WRITTEN_BYTES = 4 * 1024 * 1024;

  /** For this long after its token was verified, a request counts as authenticated. */
  private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

  /** For this long after the start of a request, its messages begin; the others are refused. */
  private static final Duration ALL_BEGIN = Duration.ofSeconds(10);

  private final LongSupplier nanos;
  private final long begunAt;
  private final AnswerMemory memory;
  private final MessageMemory messageMemory;
  private final String owner;
  private final boolean isAnonymous;
  private final BooleanSupplier isStillValid;
  private final int maxAll;
  private final int maxSingle;

  /** The room for the answers so far, and for the one that is being read; null for none. */
  private AnswerMemory.Held held;

  private long used;

  /** When the token was verified last. */
  private long validAt;

  /**
   * A budget for a new request.
   *
   * @param messageMemory releases the memory
   * @param owner the account or address whose share of the memory is used
   * @param isStillValid whether the token of the request is still valid
   */
  AnswerBudget(
      AnswerMemory memory,
      MessageMemory messageMemory,
      String owner,
      boolean isAnonymous,
      BooleanSupplier isStillValid) {
    this(
        memory,
        messageMemory,
        owner,
        isAnonymous,
        isStillValid,
        MAX_ALL_BYTES,
        MAX_SINGLE_BYTES,
        System::nanoTime);
  }

  /**
   * A budget with other limits.
   *
   * @param maxAll maximum bytes of all answers together; only the last one may exceed it
   * @param maxSingle maximum bytes of one answer to a read
   * @param nanos a clock
   */
  AnswerBudget(
      AnswerMemory memory,
      MessageMemory messageMemory,
      String owner,
      boolean isAnonymous,
      BooleanSupplier isStillValid,
      int maxAll,
      int maxSingle,
      LongSupplier nanos) {
    this.memory = memory;
    this.messageMemory = messageMemory;
    this.owner = owner;
    this.isAnonymous = isAnonymous;
    this.isStillValid = isStillValid;
    this.maxAll = maxAll;
    this.maxSingle = maxSingle;
    this.nanos = nanos;
    this.begunAt = nanos.getAsLong();
    this.validAt = begunAt;
  }

  /**
   * To be called before each message.
   *
   * @throws McpError if the connection was closed in the meantime, the messages before took too
   *     long, or the token became invalid
   */
  void requireStillAllowed() {
    if (messageMemory.isRequestEnded()) {
      throw notCarriedOut("The connection was closed");
    }
    long passed = nanos.getAsLong() - begunAt;
    if (passed > ALL_BEGIN.toNanos()) {
      throw notCarriedOut(
          "The messages before it in this request took more than %d s"
              .formatted(ALL_BEGIN.toSeconds()));
    }
    requireStillValid();
  }

  private void requireStillValid() {
    long now = nanos.getAsLong();
    if (now - validAt > FRESH_NANOS) {
      if (!isStillValid.getAsBoolean()) {
        throw notCarriedOut("The token was revoked or has expired, or its session was ended");
      }
      validAt = now;
    }
  }

  private static McpError notCarriedOut(String why) {
    return McpError.of(OK, McpError.INVALID_REQUEST, why + ": this message was not carried out.");
  }

  /**
   * Reserves memory for the answer before reading, so that a call that waits for memory holds no
   * data. What the answer does not take is given back by {@link #takeRead}: while later messages
   * wait, such as for a commit's turn, others have the room.
   *
   * @throws McpError if the token became invalid while it waited
   */
  <T> T read(Supplier<T> read) {
    refuseIfFull();
    hold(maxAll);
    try {
      requireStillValid(); // It may have waited for its room.
      return PageBytes.within((int) (maxAll - used), read);
    } catch (RuntimeException e) {
      shrink();
      throw e;
    }
  }

  /** Writes without a reservation, which a waiting commit would otherwise block for others. */
  <T> T write(Supplier<T> write) {
    refuseIfFull();
    shrink();
    return write.get();
  }

  /** Counts the answer to a read, before it is written as a result. */
  void takeRead(long bytes) {
    if (bytes > maxSingle) {
      shrink();
      throw Problem.of(
              ErrorCode.PAYLOAD_TOO_LARGE,
              "The answer has %,d bytes, but an answer over MCP may have at most %,d."
                  .formatted(bytes, maxSingle))
          .hint("Request less, with a smaller `limit` or more filters, or use the REST API.");
    }
    take(bytes);
    shrink();
  }

  /** Counts the answer to a write, which was carried out whatever the size of its answer. */
  void takeWritten(long bytes) {
    try {
      // Only as much as it takes, so that there is room for it among waiting reads.
      hold(Math.min(used + bytes, maxAll));
      take(bytes);
    } catch (Problem e) {
      throw Problem.of(
              e.code(),
              "The call was carried out, but there is not enough memory to return its answer of %,d bytes."
                  .formatted(bytes))
          .hint("Do not repeat the call: read what was written.");
    }
  }

  private void take(long bytes) {
    used += bytes;
    if (used > maxAll) {
      // This is the last answer of the request, so it happens only once.
      messageMemory.hold(memory.holdLarge(owner, bytes));
    }
  }

  /** Holds room until the request has ended, for as many bytes of answers. */
  private void hold(long bytes) {
    if (held == null) {
      held = memory.hold(owner, isAnonymous, bytes);
      messageMemory.hold(held);
    } else {
      held.grow(bytes);
    }
  }

  /** Gives back what the answers so far do not take. */
  private void shrink() {
    if (held != null) {
      held.shrink(Math.min(used, maxAll));
    }
  }

  private void refuseIfFull() {
    if (used >= maxAll) {
      throw Problem.of(
              ErrorCode.PAYLOAD_TOO_LARGE,
              "This message was not carried out: the answers to the previous messages have %,d bytes, and all answers to one request may have %,d."
                  .formatted(used, maxAll))
          .hint("Send this message again in a request of its own.");
    }
  }
}
