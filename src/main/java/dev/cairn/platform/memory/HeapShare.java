package dev.cairn.platform.memory;

/**
 * The parts of the heap that rooms for requests and answers have. All rooms together, when they are
 * full, leave a fifth of a heap of 512 MiB or more free; see {@code docs/limits.md}, Memory.
 */
public enum HeapShare {
  /** Bytes of requests that are arriving, or have come and are worked on. */
  ARRIVING(12, 32),
  /** Bytes of answers that clients have not taken. */
  UNREAD(16, 32),
  /** Parsed bodies of commits that take little each. */
  SMALL_BODIES(32, 0),
  /** Parsed bodies of all other commits. */
  LARGE_BODIES(5, 0),
  /**
   * Parsed bodies of accounts that take little each, other than commits: messages of MCP, records
   * and lists.
   */
  BODIES_OF_ACCOUNTS(80, 0),
  /** The same of callers without credentials. */
  BODIES_OF_ANONYMOUS(80, 0),
  /** All other parsed bodies of accounts, other than commits. */
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
  /** Inputs of attempts that are sent as a whole. */
  INPUTS(12, 0);

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
