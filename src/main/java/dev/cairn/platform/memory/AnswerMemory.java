package dev.cairn.platform.memory;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;

/**
 * Bounds the memory of answers that are written twice, as those of MCP are: as JSON and as a string
 * with the same content. Callers without credentials have a room of their own, so that accounts
 * never wait for them. Large answers have a third room, which only requests take that hold one of
 * the other two, so that no two requests wait for each other.
 */
@Singleton
public class AnswerMemory {
  /**
   * How many times its bytes an answer takes: the string that both parts share (2), and the message
   * of up to 3 times its length, in parts, as a whole and in the buffer that is sent (8).
   */
  private static final int COPIES_OF_ANSWER = 10;

  private final HeapRoom accounts;
  private final HeapRoom anonymous;
  private final HeapRoom large;

  @Inject
  AnswerMemory(MeterRegistry metrics) {
    this(
        new HeapRoom(HeapShare.ANSWERS_TO_ACCOUNTS),
        new HeapRoom(HeapShare.ANSWERS_TO_ANONYMOUS),
        new HeapRoom(HeapShare.LARGE_ANSWERS));
    Gauge.builder(
            "cairn.answers.waiting",
            () -> accounts.waiting() + anonymous.waiting() + large.waiting())
        .description("Answers over MCP that wait in this replica for room in its heap")
        .register(metrics);
  }

  private AnswerMemory(HeapRoom accounts, HeapRoom anonymous, HeapRoom large) {
    this.accounts = accounts;
    this.anonymous = anonymous;
    this.large = large;
  }

  /**
   * Creates rooms of a given size.
   *
   * @param bytes the size of each room, in bytes of answers
   * @param wait how long to wait for room
   */
  public static AnswerMemory of(long bytes, Duration wait) {
    int kib = (int) (bytes * COPIES_OF_ANSWER / 1024);
    return new AnswerMemory(
        new HeapRoom(kib, wait), new HeapRoom(kib, wait), new HeapRoom(kib, wait));
  }

  /**
   * Waits for room for an answer, before it is read.
   *
   * @param owner an account or a network address
   * @return releases the room; must be run once
   */
  public Held hold(String owner, boolean isAnonymous, long bytes) {
    return new Held((isAnonymous ? anonymous : accounts).hold(owner, bytes * COPIES_OF_ANSWER));
  }

  /** Room for answers. Running it, once, releases the room. Not for concurrent use. */
  public static final class Held implements Runnable {
    private final HeapRoom.Held room;

    private Held(HeapRoom.Held room) {
      this.room = room;
    }

    /** Gives back the room beyond what answers of {@code bytes} take. */
    public void shrink(long bytes) {
      room.shrink(bytes * COPIES_OF_ANSWER);
    }

    /**
     * Takes room for further answers of {@code bytes}; refused if there is none within two seconds.
     */
    public void grow(long bytes) {
      room.grow(bytes * COPIES_OF_ANSWER);
    }

    @Override
    public void run() {
      room.run();
    }
  }

  /**
   * Waits for room for an answer that turned out to be larger; once for a request. It waits two
   * seconds, since the answer is in memory meanwhile.
   */
  public Runnable holdLarge(String owner, long bytes) {
    return large.holdBeside(owner, bytes * COPIES_OF_ANSWER);
  }
}
