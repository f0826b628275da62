package dev.cairn.platform.memory;

/**
 * The shares of the heap for requests and answers. Even if all rooms are full, at least a fifth of
 * a heap of 512 MiB or more is free; see {@code docs/limits.md}, Memory.
 */
public enum HeapShare {
  /** Bytes of requests that are arriving or being processed. */
  ARRIVING(12, 32),
  /** Bytes of answers that clients have not read. */
  UNREAD(16, 32),
  /** Small parsed bodies of commits. */
  SMALL_BODIES(32, 0),
  /** Parsed bodies of all other commits. */
  LARGE_BODIES(5, 0),
  /** Small parsed bodies of accounts, other than commits: MCP messages, records and lists. */
  BODIES_OF_ACCOUNTS(80, 0),
  /** The same of callers without credentials. */
  BODIES_OF_ANONYMOUS(80, 0),
  /** Large parsed bodies of accounts, other than commits. */
  LARGE_BODIES_OF_ACCOUNTS(96, 0),
  /** The same of callers without credentials. */
  LARGE_BODIES_OF_ANONYMOUS(128, 0),
  /** Answers over MCP to accounts. */
  ANSWERS_TO_ACCOUNTS(32, 0),
  /** Answers over MCP to callers without credentials. */
  ANSWERS_TO_ANONYMOUS(32, 0),
  /** Answers over MCP that turned out to be large. */
  LARGE_ANSWERS(24, 0),
  /** Long pages and other large answers of REST to accounts; at least one. */
  PAGES_OF_ACCOUNTS(20, 24),
  /** The same for callers without credentials. */
  PAGES_OF_ANONYMOUS(20, 24),
  /** What commits changed, for those who follow repositories. */
  LIVE_CHANGES(512, 1),
  /** What the clients of accounts that follow repositories keep: queries, and patterns. */
  LIVE_CLIENTS_OF_ACCOUNTS(72, 0),
  /** The same of clients without credentials. */
  LIVE_CLIENTS_OF_ANONYMOUS(144, 0),
  /** Inputs of attempts that are sent at once. */
  INPUTS(16, 0);

  private static final long MIB = 1024 * 1024;

  private final int denominator;
  private final int minMib;

  HeapShare(int denominator, int minMib) {
    this.denominator = denominator;
    this.minMib = minMib;
  }

  /** The share of the heap of this process, in bytes. */
  public long bytes() {
    return bytesOf(Runtime.getRuntime().maxMemory());
  }

  /**
   * The share of a heap, in bytes.
   *
   * @param heap its maximum size in bytes
   */
  long bytesOf(long heap) {
    return Math.max(heap / denominator, minMib * MIB);
  }
}
