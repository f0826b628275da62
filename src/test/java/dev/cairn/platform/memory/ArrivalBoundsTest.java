package dev.cairn.platform.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** docs/limits.md: what counts in the room for requests that arrive, and its shares. */
class ArrivalBoundsTest extends RoomOfOwnClock {
  @Test
  void what_was_released_does_not_count() {
    for (int i = 0; i < 10; i++) {
      var client = new Client("a");
      assertTrue(client.send(SHARE), "a share may be taken whole");
      assertEquals(SHARE, room.bytes());
      client.arrival.release();
      client.arrival.release();
      assertEquals(0, room.bytes());
    }
  }

  @Test
  void what_a_body_becomes_counts_as_long_as_the_body() {
    var body = used("a", 10);
    assertTrue(body.arrival.grow(80));
    assertEquals(90, room.bytes());
    body.arrival.shrink(80);
    assertEquals(80, room.bytes());
    body.arrival.shrink(200);
    assertEquals(80, room.bytes());
    body.arrival.release();
    assertEquals(0, room.bytes());
    body.arrival.shrink(10);
    assertFalse(body.arrival.grow(1), "nothing counts any longer");
    assertEquals(0, room.bytes());
  }

  @Test
  void what_a_body_becomes_counts_on_when_its_request_is_ended() {
    var request = new Client(ArrivalRoom.Owner.account("a"));
    assertTrue(request.send(5));
    var body = new Client(room.beginBody(ArrivalRoom.Owner.account("a"), request.arrival, _ -> {}));
    assertTrue(body.send(10));
    assertTrue(body.arrival.complete());
    assertTrue(body.arrival.use());
    assertTrue(body.arrival.grow(50));
    request.arrival.release();
    assertEquals(60, room.bytes());
  }

  @Test
  void one_body_may_become_more_than_a_share_and_two_may_not() {
    var first = used("a", 10);
    assertTrue(first.arrival.grow(SHARE));
    var second = used("b", 10);
    assertTrue(second.arrival.grow(SHARE - 20));
    var third = used("b", 10);
    assertFalse(third.arrival.grow(1));
    assertEquals(SHARE + 10 + SHARE, room.bytes());
  }

  @Test
  void a_body_that_could_never_have_room_is_known() {
    var body = used("a", 10);
    assertTrue(body.arrival.canEverGrow(1));
    assertFalse(body.arrival.canEverGrow(SIZE));
  }

  @Test
  void decompressed_bodies_never_exceed_the_room() {
    for (int i = 0; i < 50; i++) {
      var body = used("owner" + i, 1);
      var _ = body.arrival.grow(SHARE);
      assertTrue(room.bytes() <= SIZE, room.bytes() + " bytes");
    }
  }

  @Test
  void large_requests_that_have_come_whole_leave_an_eighth_to_small_ones() {
    long part = 5_000_000;
    var roomy = new ArrivalRoom(8 * part, 2 * part, new ArrivalRoom.Pace(10, 100), () -> now);
    for (int i = 0; i < 7 * part / 100_000; i++) {
      var _ = isKept(roomy, ArrivalRoom.Owner.account("large" + i), 100_000);
    }
    assertFalse(isKept(roomy, ArrivalRoom.Owner.account("large"), 100_000));
    long large = roomy.bytes();
    assertTrue(large > 7 * part - 200_000 && large <= 7 * part, large + " bytes");

    for (int i = 0; i < part / 65_536 - 1; i++) {
      assertTrue(isKept(roomy, ArrivalRoom.Owner.account("small" + i), 65_536));
    }
  }

  /** Whether a body comes whole, and is used. */
  private static boolean isKept(ArrivalRoom room, ArrivalRoom.Owner owner, int bytes) {
    var body = room.begin(owner, _ -> {});
    return body.take(bytes) && body.complete() && body.use();
  }

  private ArrivalRoom ofSmallHeap() {
    long mib = 1_048_576;
    return new ArrivalRoom(512 * mib / 12, 16 * mib, new ArrivalRoom.Pace(10, 100), () -> now);
  }

  @ParameterizedTest
  @CsvSource({"150_000, 200_000", "70_000, 70_000", "16_000_000, 200_000"})
  void whole_bodies_of_three_accounts_leave_room_to_those_of_others(String theirs, String others) {
    var small = ofSmallHeap();
    for (var greedy : List.of("a", "b", "c")) {
      for (int i = 0; i < 250; i++) {
        var _ = isKept(small, ArrivalRoom.Owner.account(greedy), bytes(theirs));
      }
    }
    for (int i = 0; i < 15; i++) {
      assertTrue(
          isKept(small, ArrivalRoom.Owner.account("other" + i), bytes(others)), "other " + i);
    }
  }

  private static int bytes(String number) {
    return Integer.parseInt(number.replace("_", ""));
  }

  @Test
  void two_of_the_largest_bodies_have_room_at_once_and_a_third_does_not() {
    var small = ofSmallHeap();
    int largest = 16 * 1_048_576;
    assertTrue(isKept(small, ArrivalRoom.Owner.account("a"), largest));
    assertFalse(isKept(small, ArrivalRoom.Owner.account("a"), largest), "more than the share");
    assertTrue(isKept(small, ArrivalRoom.Owner.account("b"), largest));
    assertFalse(isKept(small, ArrivalRoom.Owner.account("c"), 4_000_000));
    assertTrue(isKept(small, ArrivalRoom.Owner.account("c"), 2_000_000));
  }

  /** How many bytes an owner can keep in bodies of 10 bytes. */
  private static int kept(ArrivalRoom room, ArrivalRoom.Owner owner) {
    int kept = 0;
    while (isKept(room, owner, 10)) {
      kept += 10;
    }
    return kept;
  }

  @Test
  void each_account_keeps_no_more_than_it_leaves_to_others() {
    var room = new ArrivalRoom(SIZE, SIZE, new ArrivalRoom.Pace(10, 100), () -> now);
    var kept =
        Stream.of("a", "b", "c", "d")
            .map(name -> kept(room, ArrivalRoom.Owner.account(name)))
            .toList();
    assertEquals(List.of(200, 100, 50, 20), kept);
  }

  @Test
  void each_address_keeps_no_more_than_it_leaves_to_others_of_the_half_without_credentials() {
    var room = new ArrivalRoom(SIZE, SIZE, new ArrivalRoom.Pace(10, 100), () -> now);
    var kept =
        Stream.of("a", "b", "c", "d")
            .map(name -> kept(room, ArrivalRoom.Owner.network(name)))
            .toList();
    assertEquals(List.of(100, 50, 20, 10), kept);
  }

  @Test
  void what_has_not_come_whole_takes_nothing_from_the_fair_shares_of_others() {
    var room = new ArrivalRoom(SIZE, SIZE, new ArrivalRoom.Pace(10, 100), () -> now);
    var slow = new ArrayList<Problem>();
    assertTrue(room.begin(ArrivalRoom.Owner.account("a"), slow::add).take(200));
    pass(5_000);
    assertEquals(200, kept(room, ArrivalRoom.Owner.account("b")));
    assertEquals(100, kept(room, ArrivalRoom.Owner.account("c")));
    assertEquals(1, slow.size(), "it made way");
  }

  /**
   * Heads of a network address weigh 30 times; those of its callers who send whole bodies do not.
   */
  @Test
  void heads_take_nothing_from_the_fair_share_of_the_bodies_of_their_address() {
    var room = new ArrivalRoom(SIZE, SIZE, new ArrivalRoom.Pace(10, 100), () -> now);
    var owner = ArrivalRoom.Owner.network("a");
    var ended = new ArrayList<Problem>();
    assertTrue(room.beginHead(owner, ended::add, () -> true).take(4));
    assertTrue(isKept(room, owner, 60));
    assertEquals(List.of(), ended);
  }

  @Test
  void a_request_refused_by_the_fair_shares_is_told_so() {
    var room = new ArrivalRoom(SIZE, SIZE, new ArrivalRoom.Pace(10, 100), () -> now);
    var ended = new ArrayList<Problem>();
    assertEquals(200, kept(room, ArrivalRoom.Owner.account("a")));
    assertFalse(room.begin(ArrivalRoom.Owner.account("b"), ended::add).take(160));
    assertEquals(ErrorCode.UNAVAILABLE, ended.getFirst().code());
    assertTrue(ended.getFirst().detail().contains("one caller"), ended.getFirst().detail());
    assertTrue(isKept(room, ArrivalRoom.Owner.account("b"), 150), "an eighth is left to others");
  }

  @Test
  void requests_without_credentials_take_half_of_the_room_from_however_many_addresses() {
    var account = new Client("a");
    assertTrue(account.send(SHARE));
    pass(10_000);
    var strangers = new ArrayList<Client>();
    for (int i = 0; i < 100; i++) {
      strangers.add(new Client(ArrivalRoom.Owner.network("203.0.113." + i)));
      strangers.getLast().send(10);
      assertTrue(room.bytes() <= SHARE + SIZE / 2, room.bytes() + " bytes are counted");
      pass(10);
    }
    assertNull(account.ended, "although it has made no progress for a while");
    assertNull(strangers.getLast().ended);
    long ended = strangers.stream().filter(stranger -> stranger.ended != null).count();
    assertTrue(ended >= 80, ended + " of 100 were ended");
  }

  @Test
  void the_heads_before_bodies_of_accounts_have_a_share_of_their_network() {
    var ended = new ArrayList<Problem>();
    for (int i = 0; i < 100; i++) {
      var network = ArrivalRoom.Owner.network("n");
      var request = room.beginRequest(network, 30, 10, ended::add).orElseThrow();
      var _ = room.beginBody(ArrivalRoom.Owner.account("a" + i), request, ended::add);
      assertTrue(room.bytes() <= SHARE, room.bytes() + " bytes are counted");
      pass(10);
    }
    assertTrue(ended.size() >= 96, ended.size() + " of 100 were ended");
  }

  @Test
  void a_request_that_waits_takes_the_share_of_its_owner_and_is_never_too_slow() {
    var ended = new ArrayList<Problem>();
    var owner = ArrivalRoom.Owner.account("a");
    assertTrue(room.beginRequest(owner, SHARE, 0, ended::add).isPresent());
    pass((ArrivalRoom.GRACE_SECONDS + 1) * 1_000);
    room.endTooSlow();
    assertEquals(List.of(), ended);
    assertEquals(SHARE, room.bytes());

    assertTrue(room.beginRequest(owner, 1, 0, ended::add).isPresent());
    assertEquals(ErrorCode.UNAVAILABLE, ended.getFirst().code());
    assertEquals(1, room.bytes());
    assertTrue(room.beginRequest(owner, SHARE + 1, 0, ended::add).isEmpty());
    assertEquals(0, room.bytes());
  }

  @Test
  void a_body_that_is_used_counts_on_when_its_request_is_ended() {
    var ended = new ArrayList<Problem>();
    var owner = ArrivalRoom.Owner.network("n");
    var request = room.beginRequest(owner, 10, 0, ended::add).orElseThrow();
    var body = new Client(room.beginBody(owner, request, ended::add));
    assertTrue(body.send(60));
    assertTrue(body.arrival.complete());
    assertTrue(body.arrival.use());
    var other = room.beginRequest(owner, 31, 0, _ -> {});
    assertEquals(1, ended.size());
    assertEquals(91, room.bytes());
    body.arrival.release();
    other.orElseThrow().release();
    assertEquals(0, room.bytes());
  }

  @Test
  void a_request_counts_on_after_its_body() {
    var ended = new ArrayList<Problem>();
    var owner = ArrivalRoom.Owner.network("n");
    var request = room.beginRequest(owner, 30, 10, ended::add).orElseThrow();
    var body = new Client(room.beginBody(owner, request, ended::add));
    assertTrue(body.send(20));
    assertTrue(body.arrival.complete());
    body.arrival.release();
    assertEquals(30, room.bytes());
    request.release();
    assertEquals(0, room.bytes());
    assertEquals(List.of(), ended);
  }

  @Test
  void whether_more_fits_changes_nothing() {
    var one = parts("a");
    assertTrue(one.send(60));
    assertTrue(one.arrival.fits(40));
    assertFalse(one.arrival.fits(41));
    assertEquals(60, room.bytes());
    assertTrue(one.send(40));
  }
}
