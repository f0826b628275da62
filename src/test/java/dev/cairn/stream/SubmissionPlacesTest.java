package dev.cairn.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.cairn.Eventually;
import dev.cairn.Threads;
import dev.cairn.stream.SubmissionPlaces.Place;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** docs/streams.md, Limits: when a submission gives way, with one place. */
class SubmissionPlacesTest {
  private static final Duration FULL_TIME = SubmissionPlaces.MAX_UNDISTURBED;

  private final AtomicLong now = new AtomicLong();
  private final SubmissionPlaces places =
      new SubmissionPlaces(1, new SimpleMeterRegistry(), now::get);
  private final UUID first = UUID.randomUUID();
  private final UUID second = UUID.randomUUID();
  private final AtomicInteger asked = new AtomicInteger();

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  /** A submission with a client that is never slow. */
  private ClientPace isFor(Place place) {
    var pace = new ClientPace(now::get);
    place.assign(pace, asked::incrementAndGet);
    return pace;
  }

  private CompletableFuture<Place> waiting(UUID account) {
    return CompletableFuture.supplyAsync(() -> places.take(account), Threads.OWN);
  }

  private void assertGivesWayTo(UUID account, Place taken) throws Exception {
    var waiting = waiting(account);
    Eventually.await("it is asked to give way", () -> asked.get() > 0);
    taken.close();
    waiting.get(10, TimeUnit.SECONDS).close();
  }

  /** An account that waits looks for one to end after each second. */
  private void assertStaysWhileWaiting(UUID account, Place taken) throws Exception {
    var waiting = waiting(account);
    assertThrows(TimeoutException.class, () -> waiting.get(2_500, TimeUnit.MILLISECONDS));
    assertEquals(0, asked.get());
    taken.close();
    waiting.get(10, TimeUnit.SECONDS).close();
  }

  /** An account has the place for a time, and gives it back. */
  private void use(UUID account, Duration time) {
    try (var _ = places.take(account)) {
      pass(time);
    }
  }

  @Test
  void it_stays_until_its_account_has_had_a_place_for_five_minutes() throws Exception {
    var place = places.take(first);
    isFor(place);
    pass(FULL_TIME.minusSeconds(1));
    assertStaysWhileWaiting(second, place);
  }

  @Test
  void it_gives_way_after_that() throws Exception {
    var place = places.take(first);
    isFor(place);
    pass(FULL_TIME);
    assertGivesWayTo(second, place);
  }

  @Test
  void a_new_one_of_the_same_account_gives_way_at_once() throws Exception {
    use(first, FULL_TIME.plusSeconds(1));
    var place = places.take(first);
    isFor(place);
    assertGivesWayTo(second, place);
  }

  @Test
  void it_stays_while_an_account_waits_that_has_had_as_much_time() throws Exception {
    use(second, FULL_TIME.multipliedBy(3));
    var place = places.take(first);
    isFor(place);
    pass(FULL_TIME.plusSeconds(1));
    assertStaysWhileWaiting(second, place);
  }

  @Test
  void it_stays_while_an_account_waits_whose_submission_was_just_ended() throws Exception {
    use(second, FULL_TIME);
    var place = places.take(first);
    isFor(place);
    pass(FULL_TIME.plusSeconds(1)); // What the second one used counts as about 143 s by now.
    assertStaysWhileWaiting(second, place);
  }

  @Test
  void it_stays_while_the_service_works_after_its_last_line() throws Exception {
    var place = places.take(first);
    isFor(place).endLines();
    pass(FULL_TIME.plusSeconds(1));
    assertStaysWhileWaiting(second, place);
  }
}
