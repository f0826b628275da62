package dev.cairn;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Waits until a condition is true that something else brings about: the service, a process, the
 * database. A test says what it waits for, and does not depend on how fast the machine is.
 */
public final class Eventually {
  private static final Duration DEFAULT_LIMIT = Duration.ofSeconds(30);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(1);
  private static final Duration MAX_PAUSE = Duration.ofMillis(50);

  private Eventually() {}

  /** Something that is or is not the case. What it throws ends the wait. */
  @FunctionalInterface
  public interface Condition {
    boolean isTrue() throws Exception;
  }

  /** Returns when the condition is true; fails with {@code what} if it is not within 30 s. */
  public static void await(String what, Condition condition) {
    await(() -> what, condition);
  }

  /** The same, with a text that is only made, at the end, if the condition is not true. */
  public static void await(Supplier<String> what, Condition condition) {
    await(DEFAULT_LIMIT, what, condition);
  }

  /** The same within another time. */
  public static void await(Duration limit, String what, Condition condition) {
    await(limit, () -> what, condition);
  }

  /** The same within another time, with a text that is only made if the condition is not true. */
  public static void await(Duration limit, Supplier<String> what, Condition condition) {
    poll(limit, what, condition::isTrue, isTrue -> isTrue);
  }

  /** Asks until the answer is as wanted, and returns that one. */
  public static <T> T poll(String what, Callable<T> question, Predicate<T> isWanted) {
    return poll(DEFAULT_LIMIT, () -> what, question, isWanted);
  }

  /** The same within another time. */
  public static <T> T poll(
      Duration limit, Supplier<String> what, Callable<T> question, Predicate<T> isWanted) {
    long end = System.nanoTime() + limit.toNanos();
    var pause = FIRST_PAUSE;
    while (true) {
      // Looked at before the question is asked, which may take long.
      boolean isLast = System.nanoTime() >= end;
      T answer = answer(what, question);
      if (isWanted.test(answer)) {
        return answer;
      }
      if (isLast) {
        throw new AssertionError("not within " + limit.toMillis() + " ms: " + what.get());
      }
      pause(what, pause);
      pause = pause.compareTo(MAX_PAUSE) < 0 ? pause.multipliedBy(2) : MAX_PAUSE;
    }
  }

  private static <T> T answer(Supplier<String> what, Callable<T> question) {
    try {
      return question.call();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError("while waiting for: " + what.get(), e);
    }
  }

  private static void pause(Supplier<String> what, Duration pause) {
    try {
      Thread.sleep(pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for: " + what.get(), e);
    }
  }
}
