package dev.cairn.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.platform.Deadline;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The share of look-ups that each tenant has: {@code docs/egress.md}, Limits of a call. */
class BoundedResolverTest {
  private static final List<InetAddress> ADDRESSES = List.of(AddressRange.address("93.184.216.34"));

  private static final String SLOW = "slow.example";
  private static final String GOOD = "good.example";

  /** What one requester has if no other one needs any. */
  private static final int HALF = BoundedResolver.THREADS / 2;

  /** Counts down when the name servers of {@link #SLOW} answer at last. */
  private final CountDownLatch answering = new CountDownLatch(1);

  /** Look-ups of {@link #SLOW} that have a thread. */
  private final Semaphore begun = new Semaphore(0);

  /** Look-ups of {@link #GOOD}. */
  private final AtomicInteger ofGood = new AtomicInteger();

  private final BoundedResolver resolver =
      new BoundedResolver(this::addresses, Duration.ofHours(1));

  private List<InetAddress> addresses(String host) {
    if (host.equals(SLOW)) {
      begun.release();
      awaitAnswer();
    } else if (host.equals(GOOD)) {
      ofGood.incrementAndGet();
    }
    return ADDRESSES;
  }

  private void awaitAnswer() {
    try {
      answering.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @AfterEach
  void answer() {
    answering.countDown();
  }

  private static Deadline soon() {
    return Deadline.in(Duration.ofSeconds(30));
  }

  /** Gives up soon; the name server has not answered until then. */
  private NetworkFault fault(String requester, String host) {
    var deadline = Deadline.in(Duration.ofMillis(20));
    return assertThrows(
            NetworkException.class, () -> resolver.resolve(requester, host, deadline), requester)
        .fault();
  }

  private Thread begin(String requester) {
    return Thread.ofVirtual()
        .start(new FutureTask<>(() -> resolver.resolve(requester, SLOW, soon())));
  }

  /** Begins a look-up, and gives up once it has a thread. */
  private void giveUp(String requester) throws InterruptedException {
    var waiting = begin(requester);
    assertTrue(begun.tryAcquire(30, TimeUnit.SECONDS));
    waiting.interrupt();
    waiting.join();
  }

  @Test
  void nobody_waits_for_longer_than_the_deadline() {
    assertEquals(NetworkFault.TIMEOUT, fault("one", SLOW));
  }

  @Test
  void name_servers_that_never_answer_stop_only_the_callers_that_ask_them() throws Exception {
    for (int i = 0; i < 2 * BoundedResolver.THREADS; i++) {
      begin("one");
    }
    assertTrue(begun.tryAcquire(HALF, 30, TimeUnit.SECONDS));
    var giveUp = soon();
    while (resolver.waiting() < 2 * BoundedResolver.THREADS - HALF) {
      assertFalse(giveUp.hasPassed());
    }
    assertEquals(ADDRESSES, resolver.resolve("two", GOOD, soon()));
    assertEquals(0, begun.availablePermits());
  }

  @Test
  void a_look_up_counts_until_its_thread_is_free_though_nobody_waits_for_it() throws Exception {
    for (int i = 0; i < HALF; i++) {
      giveUp("one");
    }
    assertEquals(NetworkFault.BUSY, fault("one", GOOD));
    assertEquals(ADDRESSES, resolver.resolve("two", "other.example", soon()));
    answering.countDown();
    assertEquals(ADDRESSES, resolver.resolve("one", GOOD, soon()));
  }

  @Test
  void a_name_whose_addresses_are_known_needs_no_thread() throws Exception {
    resolver.resolve("first", GOOD, soon());
    for (int i = 0; i < BoundedResolver.THREADS; i++) {
      giveUp("requester " + i);
    }
    assertEquals(NetworkFault.BUSY, fault("last", "other.example"));
    assertEquals(ADDRESSES, resolver.resolve("last", GOOD, soon()));
    assertEquals(1, ofGood.get());
  }
}
