package dev.cairn.platform.limiter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Eventually;
import dev.cairn.platform.http.NetworkAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Limits, fair shares: those that used little time recently come before those that used much. */
class FairShareTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  private final AtomicLong now = new AtomicLong();

  private void pass(int seconds) {
    now.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
  }

  private static boolean begins(FairShare<String> share, String key) {
    return share.begin(key, Duration.ZERO);
  }

  @Test
  void keys_that_used_much_leave_the_reserved_places_to_those_that_did_not() {
    var share = new FairShare<String>(10, 2, now::get);
    var slow = new ArrayList<String>();
    for (int i = 0; i < 10; i++) {
      slow.add("slow" + i);
      assertTrue(begins(share, "slow" + i), "none of them used anything yet");
    }
    pass(3);
    slow.forEach(share::end);

    assertEquals(8, slow.stream().filter(key -> begins(share, key)).count());
    assertTrue(share.begin("new", Duration.ZERO));
    assertTrue(share.begin("other", Duration.ZERO));
    share.end("new");
    share.end("other");
    pass(60);
    assertTrue(begins(share, "slow9"), "what it used is long past");
  }

  @Test
  void keys_whose_group_used_much_leave_the_reserved_places_to_other_groups() {
    var share =
        new FairShare<String>(10, 2, Duration.ofSeconds(15), NetworkAddress::enclosing, now::get);
    var network = new ArrayList<String>();
    for (int i = 0; i < 30; i++) {
      network.add(NetworkAddress.network("192.0.2." + i));
    }
    var first = network.subList(0, 10);
    first.forEach(key -> assertTrue(begins(share, key), "none of them used anything yet"));
    pass(3);
    first.forEach(share::end);

    assertEquals(8, network.subList(10, 30).stream().filter(key -> begins(share, key)).count());
    assertTrue(begins(share, NetworkAddress.network("198.51.100.1")));
    assertTrue(begins(share, NetworkAddress.network("2001:db8::1")));
  }

  @Test
  void the_more_groups_wait_the_less_time_is_left_for_each() throws Exception {
    var share =
        new FairShare<String>(2, 1, Duration.ofSeconds(15), NetworkAddress::enclosing, now::get);
    assertTrue(begins(share, "one"));
    assertEquals(Optional.empty(), share.shareOf(Duration.ofSeconds(4)), "nobody waits");
    assertTrue(begins(share, "two"));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      // Three of one network count as one.
      for (var address : List.of("192.0.2.1", "192.0.2.2", "192.0.2.3", "198.51.100.1")) {
        var _ = threads.submit(() -> share.begin(NetworkAddress.network(address), LONG));
      }
      awaitWaiting(share, 4);
      assertEquals(
          Optional.of(Duration.ofSeconds(8).dividedBy(3)), share.shareOf(Duration.ofSeconds(4)));
      share.end("one");
      share.end("two");
      awaitWaiting(share, 2);
      assertEquals(Optional.of(Duration.ofSeconds(4)), share.shareOf(Duration.ofSeconds(4)));
      threads.shutdownNow();
    }
  }

  @Test
  void work_that_used_fractions_of_a_second_waits_for_none_that_came_later() throws Exception {
    var share = new FairShare<String>(1, 1, now::get);
    assertTrue(begins(share, "often"));
    now.addAndGet(TimeUnit.MILLISECONDS.toNanos(300));
    share.end("often");
    assertTrue(begins(share, "slow"));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var often = threads.submit(() -> share.begin("often", LONG));
      awaitWaiting(share, 1);
      var later = threads.submit(() -> share.begin("new", LONG));
      awaitWaiting(share, 2);
      share.end("slow");
      assertTrue(often.get(10, TimeUnit.SECONDS));
      assertFalse(later.isDone());
      share.end("often");
      assertTrue(later.get(10, TimeUnit.SECONDS));
    }
  }

  @Test
  void a_key_that_waits_begins_once_what_it_used_is_long_past_though_no_work_ends()
      throws Exception {
    var share = new FairShare<String>(2, 1, now::get);
    assertTrue(begins(share, "slow"));
    pass(3);
    share.end("slow");
    assertTrue(begins(share, "endless"));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var slow = threads.submit(() -> share.begin("slow", LONG));
      awaitWaiting(share, 1);
      pass(60);
      assertTrue(slow.get(10, TimeUnit.SECONDS));
    }
  }

  @Test
  void little_work_is_no_reason_to_leave_reserved_places() {
    var share = new FairShare<String>(2, 1, now::get);
    assertTrue(begins(share, "slow"));
    for (int i = 0; i < 100; i++) {
      assertTrue(begins(share, "often"));
      now.addAndGet(TimeUnit.MILLISECONDS.toNanos(5));
      share.end("often");
    }
  }

  @Test
  void a_key_that_has_or_had_long_work_leaves_the_reserved_places_however_short_it_was() {
    var share = FairShare.<String>ofLongWork(5, 2, Duration.ofMinutes(10), now::get);
    for (var key : List.of("a", "b")) {
      assertTrue(begins(share, key));
    }
    assertTrue(begins(share, "a"), "two stay free");
    assertFalse(begins(share, "b"));
    assertTrue(begins(share, "c"));
    assertFalse(begins(share, "a"));
    share.end("a");
    share.end("a");
    pass(300);
    assertTrue(begins(share, "a"), "two stay free");
    assertFalse(begins(share, "a"));
    assertTrue(begins(share, "d"));
    share.end("d");
    pass(300);
    assertFalse(begins(share, "d"), "it had one recently");
    pass(1_200);
    assertTrue(begins(share, "d"));
  }

  @Test
  void a_key_that_holds_no_place_gets_a_reserved_one_however_much_it_used() {
    var share = FairShare.<String>ofHeldPlaces(5, 2, Duration.ofMinutes(10), now::get);
    assertTrue(begins(share, "regular"));
    pass(60);
    share.end("regular");
    for (var key : List.of("a", "b", "c")) {
      assertTrue(begins(share, key));
    }
    pass(60);
    assertFalse(begins(share, "a"), "two are reserved for those that hold none");
    assertTrue(begins(share, "regular"));
    assertFalse(begins(share, "regular"));
    assertTrue(begins(share, "other"));
  }

  @Test
  void time_counts_as_used_however_often_work_begins_anew() {
    var share = FairShare.<String>ofHeldPlaces(5, 2, Duration.ofMinutes(10), now::get);
    for (int i = 0; i < 5; i++) {
      assertFalse(share.hasUsed("anew", Duration.ofMinutes(5)), i + " minutes later");
      assertTrue(begins(share, "anew"));
      pass(60);
      share.end("anew");
    }
    assertTrue(begins(share, "anew"));
    pass(1);
    assertTrue(share.hasUsed("anew", Duration.ofMinutes(5)));
    share.end("anew");
    pass(600);
    assertFalse(share.hasUsed("anew", Duration.ofMinutes(5)), "it was long ago");
    assertFalse(share.hasUsed("other", Duration.ofMinutes(5)));
  }

  @Test
  void several_places_at_the_same_time_count_more() {
    var share = FairShare.<String>ofHeldPlaces(5, 2, Duration.ofMinutes(10), now::get);
    assertTrue(begins(share, "two"));
    assertTrue(begins(share, "two"));
    pass(120);
    assertFalse(share.hasUsed("two", Duration.ofMinutes(5)));
    pass(30);
    assertTrue(share.hasUsed("two", Duration.ofMinutes(5)));
  }

  @Test
  void work_of_a_moment_is_no_reason_to_leave_places_that_are_held() {
    var share = FairShare.<String>ofHeldPlaces(5, 2, Duration.ofMinutes(10), now::get);
    for (int i = 0; i < 10; i++) {
      assertTrue(begins(share, "often"));
      now.addAndGet(TimeUnit.MILLISECONDS.toNanos(5));
      share.end("often");
    }
    assertTrue(begins(share, "often"));
    assertTrue(begins(share, "often"));
    assertTrue(begins(share, "often"), "more are free than it holds");
  }

  @Test
  void places_are_scarce_while_fewer_are_free_than_are_reserved() {
    var share = new FairShare<String>(3, 2, now::get);
    assertTrue(begins(share, "a"));
    assertFalse(share.isScarce());
    assertTrue(begins(share, "b"));
    assertTrue(share.isScarce());
    share.end("a");
    assertFalse(share.isScarce());
  }

  @Test
  void of_keys_that_wait_the_one_that_used_least_comes_first() throws Exception {
    var share = new FairShare<String>(1, 0, now::get);
    for (var key : List.of("much", "some", "first")) {
      assertTrue(begins(share, key));
      pass(key.equals("much") ? 2 : 1);
      share.end(key);
    }
    assertTrue(begins(share, "first"));
    var order = new CopyOnWriteArrayList<String>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var key : List.of("much", "much", "some", "none")) {
        int waiting = share.waiting() + 1;
        threads.execute(
            () -> {
              if (share.begin(key, LONG)) {
                order.add(key);
                now.incrementAndGet();
                share.end(key);
              }
            });
        awaitWaiting(share, waiting);
      }
      share.end("first");
    }
    assertEquals(List.of("none", "some", "much", "much"), order);
  }

  @Test
  void heavy_work_gets_its_places_though_light_work_keeps_coming() throws Exception {
    var share = new FairShare<String>(10, 0, now::get);
    assertTrue(share.begin("light", 3, Duration.ZERO));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var heavy = threads.submit(() -> share.begin("heavy", 10, LONG));
      awaitWaiting(share, 1);
      assertFalse(share.begin("other", 1, Duration.ZERO), "it is not its turn");
      share.end("light", 3);
      assertTrue(heavy.get(10, TimeUnit.SECONDS));
    }
    assertEquals(0, share.free());
    share.end("heavy", 10);
    assertEquals(10, share.free());
  }

  @Test
  void heavy_work_that_is_given_up_lets_those_begin_that_waited_for_it() throws Exception {
    var share = new FairShare<String>(10, 0, now::get);
    assertTrue(share.begin("light", 3, Duration.ZERO));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var heavy = threads.submit(() -> share.begin("heavy", 10, Duration.ofMillis(300)));
      awaitWaiting(share, 1);
      assertTrue(threads.submit(() -> share.begin("other", 1, LONG)).get(10, TimeUnit.SECONDS));
      assertFalse(heavy.get());
    }
  }

  @Test
  void a_key_that_used_little_comes_before_heavy_work_of_one_that_used_much() throws Exception {
    var share = new FairShare<String>(10, 0, now::get);
    assertTrue(share.begin("much", 10, Duration.ZERO));
    pass(2);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var much = threads.submit(() -> share.begin("often", 10, LONG));
      awaitWaiting(share, 1);
      var again = threads.submit(() -> share.begin("much", 10, LONG));
      awaitWaiting(share, 2);
      var little = threads.submit(() -> share.begin("little", 2, LONG));
      awaitWaiting(share, 3);
      share.end("much", 10);
      assertTrue(much.get(10, TimeUnit.SECONDS), "it came first of those that used nothing");
      pass(1);
      share.end("often", 10);
      assertTrue(little.get(10, TimeUnit.SECONDS));
      assertFalse(again.isDone());
      share.end("little", 2);
      assertTrue(again.get(10, TimeUnit.SECONDS));
    }
  }

  @Test
  void a_group_that_used_less_comes_first_and_in_it_the_key_that_used_less() throws Exception {
    var share = grouped(Duration.ofSeconds(15));
    for (var key : List.of("a1", "a1", "b1")) {
      assertTrue(begins(share, key));
      pass(1);
      share.end(key);
    }
    assertEquals(List.of("b1", "a2", "a1"), order(share, "a1", "a2", "b1"));
  }

  @Test
  void one_hash_of_a_password_is_remembered_as_long_as_somebody_waits_for_the_next()
      throws Exception {
    var share = grouped(Duration.ofMinutes(1));
    for (var key : List.of("a1", "b1")) {
      assertTrue(begins(share, key));
      now.addAndGet(TimeUnit.MILLISECONDS.toNanos(key.equals("a1") ? 50 : 40));
      share.end(key);
      pass(50);
    }
    assertEquals(List.of("c1", "a1", "b1"), order(share, "b1", "a1", "c1"));
  }

  @Test
  void the_last_one_of_the_group_that_waits_for_the_most_is_refused() throws Exception {
    var share = new FairShare<String>(1, LONG, 3, FairShareTest::byFirstLetter);
    assertTrue(begins(share, "z1"));
    var begun = new CopyOnWriteArrayList<String>();
    var refused = new CopyOnWriteArrayList<String>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      int count = 0;
      for (var key : List.of("a1", "a2", "a2", "b1", "c1", "d1", "z2")) {
        threads.execute(
            () -> {
              if (share.begin(key, LONG)) {
                begun.add(key);
                share.end(key);
              } else {
                refused.add(key);
              }
            });
        int decided = Math.max(0, ++count - 3);
        awaitWaiting(share, Math.min(3, count));
        Eventually.await("one more is refused", () -> refused.size() >= decided);
      }
      // Of equally many: first the last of those that used nothing, then the one that uses a place.
      assertEquals(List.of("a2", "a2", "d1", "z2"), refused);
      share.end("z1");
    }
    assertEquals(List.of("a1", "b1", "c1"), begun);
  }

  private static List<String> byFirstLetter(String key) {
    return List.of(key.substring(0, 1), key);
  }

  /** By the first letter. */
  private FairShare<String> grouped(Duration memory) {
    return new FairShare<>(1, 0, memory, FairShareTest::byFirstLetter, now::get);
  }

  /** In which order keys begin that come in the order given while all places are taken. */
  private static List<String> order(FairShare<String> share, String... keys) throws Exception {
    assertTrue(begins(share, "z"));
    var order = new CopyOnWriteArrayList<String>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var key : keys) {
        int waiting = share.waiting() + 1;
        threads.execute(
            () -> {
              if (share.begin(key, LONG)) {
                order.add(key);
                share.end(key);
              }
            });
        awaitWaiting(share, waiting);
      }
      share.end("z");
    }
    return order;
  }

  private static void awaitWaiting(FairShare<String> share, int count) {
    Eventually.await(() -> count + " wait: " + share.waiting(), () -> share.waiting() >= count);
  }
}
