package dev.cairn.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.cairn.Eventually;
import dev.cairn.Threads;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/live.md, How it works: what a commit changed is read once for all who follow. */
class SharedReadsTest {
  private static final int LIMIT_SECONDS = 30;

  private final Queue<String> begun = new ConcurrentLinkedQueue<>();
  private final CountDownLatch slowGoesOn = new CountDownLatch(1);
  private final Cache<Key, List<String>> cache = Caffeine.newBuilder().build();
  private final SharedReads<Key, List<String>> reads =
      new SharedReads<>(cache, this::read, value -> !value.isEmpty());

  /** All have the same hash, so that they are neighbours in every map. */
  private record Key(String name) {
    @Override
    public int hashCode() {
      return 1;
    }
  }

  private List<String> read(Key key) {
    begun.add(key.name);
    if (key.name.startsWith("slow")) {
      await(slowGoesOn);
    }
    if (key.name.endsWith("fails")) {
      throw Problem.of(ErrorCode.UNAVAILABLE, "It fails.");
    }
    return key.name.equals("empty") ? List.of() : List.of(key.name);
  }

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("it never went on");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private List<CompletableFuture<List<String>>> ask(int times, String name) {
    return Stream.generate(
            () -> CompletableFuture.supplyAsync(() -> reads.get(new Key(name)), Threads.OWN))
        .limit(times)
        .toList();
  }

  private void begins(String name) {
    Eventually.await(name + " begins", () -> begun.contains(name));
  }

  @Test
  void a_slow_read_does_not_hold_up_others() throws Exception {
    var slow = ask(1, "slow").getFirst();
    begins("slow");
    assertEquals(
        List.of("other"), ask(1, "other").getFirst().get(LIMIT_SECONDS / 2, TimeUnit.SECONDS));
    slowGoesOn.countDown();
    assertEquals(List.of("slow"), slow.get(LIMIT_SECONDS, TimeUnit.SECONDS));
  }

  @Test
  void many_who_ask_for_the_same_have_it_read_once() throws Exception {
    var asked = ask(20, "slow");
    begins("slow");
    slowGoesOn.countDown();
    var first = asked.getFirst().get(LIMIT_SECONDS, TimeUnit.SECONDS);
    for (var each : asked) {
      assertSame(first, each.get(LIMIT_SECONDS, TimeUnit.SECONDS));
    }
    assertSame(first, reads.get(new Key("slow")));
    assertEquals(List.of("slow"), List.copyOf(begun));
  }

  @Test
  void a_read_that_fails_does_so_for_all_of_them_and_is_done_again_afterwards() {
    var asked = ask(5, "slow and fails");
    begins("slow and fails");
    slowGoesOn.countDown();
    for (var each : asked) {
      var failure =
          assertThrows(ExecutionException.class, () -> each.get(LIMIT_SECONDS, TimeUnit.SECONDS));
      assertInstanceOf(Problem.class, failure.getCause());
    }
    int before = begun.size();
    assertThrows(Problem.class, () -> reads.get(new Key("slow and fails")));
    assertEquals(before + 1, begun.size());
  }

  @Test
  void that_there_is_nothing_is_not_kept() {
    assertEquals(List.of(), reads.get(new Key("empty")));
    assertEquals(List.of(), reads.get(new Key("empty")));
    assertEquals(List.of("empty", "empty"), List.copyOf(begun));
  }
}
