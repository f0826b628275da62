package dev.cairn.platform.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** docs/limits.md: which requests are ended if the room for those that arrive is full. */
class ArrivalRoomTest extends RoomOfOwnClock {
  @Test
  void beyond_a_share_only_the_slowest_request_of_its_owner_is_ended() {
    var other = new Client("b");
    assertTrue(other.send(1));
    pass(1_000);
    var slow = new Client("a");
    assertTrue(slow.send(60));
    pass(5_000);
    var fast = new Client("a");

    assertTrue(fast.send(41));

    assertEquals(ErrorCode.UNAVAILABLE, slow.ended.code());
    assertFalse(slow.send(1));
    assertNull(fast.ended);
    assertNull(other.ended);
    assertEquals(42, room.bytes());
  }

  @Test
  void when_the_room_is_full_the_slowest_of_all_is_ended() {
    var stalled = new Client("a");
    assertTrue(stalled.send(SHARE));
    var trickles = new Client("b");
    for (int i = 0; i < 10; i++) {
      pass(1_000);
      assertTrue(trickles.send(9));
    }
    for (var owner : new String[] {"c", "d", "e"}) {
      assertTrue(new Client(owner).send(70));
    }
    assertEquals(400, room.bytes());

    var newest = new Client("f");
    assertTrue(newest.send(1));

    assertEquals(ErrorCode.UNAVAILABLE, stalled.ended.code());
    assertNull(trickles.ended);
    assertNull(newest.ended);
  }

  @Test
  void what_has_come_whole_is_not_ended_for_what_comes_later() {
    var whole = new Client("a");
    assertTrue(whole.send(SHARE));
    assertTrue(whole.arrival.complete());
    pass(1_000_000);
    room.endTooSlow();
    var next = new Client("a");

    assertFalse(next.send(1));

    assertNull(whole.ended);
    assertEquals(ErrorCode.UNAVAILABLE, next.ended.code());
    assertEquals(SHARE, room.bytes());
  }

  @Test
  void arrivals_are_ended_for_a_decompressed_body_only_if_that_frees_enough() {
    var whole = used("a", 50);
    var slow = new Client("a");
    assertTrue(slow.send(30));
    var other = new Client("b");
    assertTrue(other.send(30));
    pass(5_000);
    var body = used("a", 10);

    assertFalse(body.arrival.grow(90), "the slow one has too little");
    assertNull(slow.ended);
    assertEquals(120, room.bytes());

    assertTrue(body.arrival.grow(20));
    assertEquals(ErrorCode.UNAVAILABLE, slow.ended.code());
    assertNull(other.ended);
    assertNull(whole.ended);
    assertEquals(110, room.bytes());
  }

  @Test
  void a_decompressed_body_ends_only_arrivals_of_owners_that_hold_more() {
    used("a", SHARE - 5);
    used("b", SHARE - 5);
    var greedy = new Client("c");
    assertTrue(greedy.send(SHARE - 5));
    var honest = new Client("d");
    assertTrue(honest.send(30));
    pass(5_000);
    var body = used("e", 50);

    assertTrue(body.arrival.grow(40), "the one who holds more gives way");
    assertEquals(ErrorCode.UNAVAILABLE, greedy.ended.code());
    while (body.arrival.grow(10)) {
      assertTrue(room.bytes() <= SIZE);
    }
    assertNull(honest.ended);
  }

  @Test
  void what_was_ended_does_not_come_whole_any_more() {
    var slow = new Client("a");
    assertTrue(slow.send(60));
    pass(5_000);
    assertTrue(new Client("a").send(41));
    assertNotNull(slow.ended);

    assertFalse(slow.arrival.complete());
    assertEquals(41, room.bytes());
  }

  @Test
  void when_the_room_is_full_a_thirty_second_of_it_is_freed_by_ending_the_slowest() {
    var clients = new ArrayList<Client>();
    for (int i = 0; i < 40; i++) {
      clients.add(new Client("owner" + i));
      assertTrue(clients.getLast().send(10));
      pass(1_000);
    }

    var newest = new Client("newest");
    assertTrue(newest.send(45));

    assertNull(newest.ended);
    assertEquals(385, room.bytes(), "at most 400 - 400 / 32");
    for (int i = 0; i < 40; i++) {
      assertEquals(i < 6, clients.get(i).ended != null, "client " + i);
    }
  }

  @Test
  void unfinished_heads_of_strangers_end_no_upload_of_an_account() {
    for (int rate = 1; rate < 10; rate += 4) {
      var ended = new ArrayList<Problem>();
      var heads = new ArrayList<Problem>();
      var network = ArrivalRoom.Owner.network("203.0.113.0");
      var request = room.beginRequest(network, 5, 10, ended::add).orElseThrow();
      var upload = room.beginBody(ArrivalRoom.Owner.account("a"), request, ended::add);
      for (int i = 0; (i + 1) * rate < SHARE / 2; i++) {
        assertTrue(upload.take(rate));
        var stranger = ArrivalRoom.Owner.network("198.51.100." + i % 16);
        var _ = room.beginHead(stranger, heads::add, () -> true).take(3);
        pass(100);
      }
      assertFalse(heads.isEmpty());
      assertEquals(List.of(), ended);
      assertTrue(upload.complete());
      // Nor while it waits for its turn.
      for (int i = 0; i < 100; i++) {
        var stranger = ArrivalRoom.Owner.network("198.51.100." + i % 16);
        var _ = room.beginHead(stranger, heads::add, () -> true).take(3);
      }
      assertEquals(List.of(), ended);
      upload.release();
      request.release();
    }
  }

  @Test
  void in_a_full_room_strangers_give_way_to_bodies_of_accounts_down_to_a_quarter() {
    var uploads = new ArrayList<Client>();
    for (int i = 0; i < 6; i++) {
      uploads.add(new Client("a" + i));
      assertTrue(uploads.getLast().send(SIZE / 8));
    }
    pass(10_000);
    var heads = new ArrayList<Client>();
    for (int i = 0; i < 200; i++) {
      var stranger = ArrivalRoom.Owner.network("198.51.100." + i);
      heads.add(new Client(stranger));
      heads.getLast().send(3);
      assertTrue(room.bytes() <= SIZE, room.bytes() + " bytes are counted");
      pass(10);
    }
    uploads.forEach(upload -> assertNull(upload.ended));
    assertNull(heads.getLast().ended);
    // What accounts hold beyond three quarters gives way by progress, as everything does.
    for (int i = 0; i < 8; i++) {
      assertTrue(new Client("b" + i).send(SIZE / 16));
      pass(10);
    }
    assertTrue(uploads.stream().anyMatch(upload -> upload.ended != null));
    long left = heads.stream().filter(head -> head.ended == null).count();
    assertTrue(3 * left >= SIZE / 4 - SIZE / 16, left + " heads are left");
  }

  @Test
  void bursts_that_are_repeated_in_vain_end_no_slow_upload() {
    var large = new ArrivalRoom(40 << 20, 16 << 20, new ArrivalRoom.Pace(10, 100), () -> now);
    var endedUploads = new int[1];
    var ended = new boolean[1_000];
    var flood = new ArrivalRoom.Arrival[ended.length];
    Arrays.fill(ended, true);
    var upload = large.begin(ArrivalRoom.Owner.account("slow"), _ -> endedUploads[0]++);
    for (int step = 0; step < 100; step++) {
      for (int i = 0; i < flood.length; i++) {
        int one = i;
        if (ended[i]) {
          ended[i] = false;
          var owner = ArrivalRoom.Owner.account("flood " + i % 5);
          flood[i] = large.begin(owner, _ -> ended[one] = true);
          flood[i].take(60_000);
        } else {
          flood[i].take(10);
        }
      }
      upload.take(5_000);
      pass(250);
    }
    assertTrue(large.ended() > 1_000, large.ended() + " bursts were ended");
    assertEquals(0, endedUploads[0]);
  }

  @Test
  void a_request_that_waits_with_its_whole_body_is_not_ended_for_others_of_its_account() {
    var ended = new ArrayList<Problem>();
    var owner = ArrivalRoom.Owner.account("a");
    var request =
        room.beginRequest(ArrivalRoom.Owner.network("n"), 10, 0, ended::add).orElseThrow();
    var body = room.beginBody(owner, request, ended::add);
    assertTrue(body.take(SHARE / 2));
    assertTrue(body.complete());
    for (int i = 0; i < 20; i++) {
      var _ = room.begin(owner, _ -> {}).take(SHARE / 4);
      pass(10);
    }
    assertEquals(List.of(), ended);
  }

  @Test
  void a_head_makes_the_progress_of_its_bytes_although_it_takes_more() {
    var large = new ArrivalRoom(64 << 20, 16 << 20, new ArrivalRoom.Pace(1_000, 100), () -> now);
    var ended = new ArrayList<Problem>();
    var body = large.begin(ArrivalRoom.Owner.network("203.0.113.0"), ended::add);
    var heads = new ArrayList<Problem>();
    for (int i = 0; i < 80; i++) {
      assertTrue(body.take(500));
      var stranger = ArrivalRoom.Owner.network("198.51.100." + i % 16);
      var _ = large.beginHead(stranger, heads::add, () -> true).take(39_000);
      pass(100);
    }
    assertEquals(List.of(), ended);
    assertFalse(heads.isEmpty());
  }

  @Test
  void after_the_grace_the_average_rate_counts_up_to_its_edge() {
    var edge = new Client("a");
    var below = new Client("b");
    edge.send(20);
    below.send(19);
    pass(ArrivalRoom.GRACE_SECONDS * 1_000 + 1_999);
    room.endTooSlow();
    assertNull(below.ended);
    pass(1);
    room.endTooSlow();
    assertNull(edge.ended);
    assertEquals(ErrorCode.VALIDATION_ERROR, below.ended.code());
    assertEquals(20, room.bytes());
  }

  @Test
  void a_request_is_ended_with_its_body_while_that_arrives() {
    var ended = new ArrayList<Problem>();
    var owner = ArrivalRoom.Owner.network("n");
    var request = room.beginRequest(owner, SHARE - 20, 10, ended::add).orElseThrow();
    var body = new Client(room.beginBody(owner, request, ended::add));
    assertEquals(SHARE - 20, room.bytes());
    assertTrue(body.send(20));
    assertFalse(body.send(1));
    assertEquals(1, ended.size());
    assertEquals(0, room.bytes());
  }

  @Test
  void a_flood_of_new_requests_ends_its_own_and_not_one_that_waits() {
    var ended = new ArrayList<Problem>();
    var single = new ArrayList<Problem>();
    var _ = room.beginRequest(ArrivalRoom.Owner.network("single"), 1, 0, single::add);
    pass(20_000);
    for (int address = 0; address < 30; address++) {
      for (int i = 0; i < 10; i++) {
        var owner = ArrivalRoom.Owner.network("flood" + address);
        var _ = room.beginRequest(owner, 2, 0, ended::add);
      }
    }
    assertEquals(List.of(), single);
    assertFalse(ended.isEmpty());
  }

  @Test
  void whole_bodies_that_wait_are_ended_and_not_the_requests_of_others() {
    var single = new ArrayList<Problem>();
    var ended = new ArrayList<Problem>();
    for (int i = 0; i < 3; i++) {
      var network = ArrivalRoom.Owner.network("flood" + i);
      var request = room.beginRequest(network, 1, 0, ended::add).orElseThrow();
      var body = new Client(room.beginBody(network, request, ended::add));
      assertTrue(body.send(49));
      assertTrue(body.arrival.complete());
    }
    var _ = room.beginRequest(ArrivalRoom.Owner.network("waits"), 50, 0, single::add);
    var other = ArrivalRoom.Owner.network("single");

    assertTrue(room.beginRequest(other, 5, 0, single::add).isPresent());

    assertEquals(List.of(), single);
    assertEquals(1, ended.size());
    assertEquals(155, room.bytes());
  }

  @Test
  void a_body_of_which_nothing_has_come_is_ended_before_those_that_wait() {
    var single = new ArrayList<Problem>();
    var ended = new ArrayList<Problem>();
    var _ = room.beginRequest(ArrivalRoom.Owner.network("single"), 1, 0, single::add);
    for (int i = 0; i < 5; i++) {
      var network = ArrivalRoom.Owner.network("flood" + i);
      var request = room.beginRequest(network, SHARE - 10, 0, ended::add).orElseThrow();
      var _ = room.beginBody(ArrivalRoom.Owner.account("flood"), request, ended::add);
      pass(1_000);
    }
    assertEquals(List.of(), single);
    assertFalse(ended.isEmpty());
  }

  @Test
  void a_body_that_the_service_has_not_read_yet_stays_while_a_flood_holds_the_room() {
    var ended = new ArrayList<Problem>();
    var single = new ArrayList<Problem>();
    int kib = 1_024;
    long mib = 1_048_576;
    var busy = new ArrivalRoom(40 * mib, 10 * mib, new ArrivalRoom.Pace(10, 100), () -> now);
    var network = ArrivalRoom.Owner.network("single");
    var request = busy.beginRequest(network, kib, 0, single::add).orElseThrow();
    var body = busy.beginBody(ArrivalRoom.Owner.account("single"), request, single::add);
    pass(13_000);
    for (int i = 0; i < 1_200; i++) {
      var flood = ArrivalRoom.Owner.account("flood" + i % 8);
      var _ = busy.beginRequest(flood, 40 * kib, 0, ended::add);
      pass(10);
    }
    assertEquals(List.of(), single);
    assertFalse(ended.isEmpty());
    assertTrue(body.take(100), "it comes at last");
  }

  @Test
  void nothing_takes_longer_than_the_overall_time_however_fast_it_is() {
    var wide = new ArrivalRoom(4_000, 2_000, new ArrivalRoom.Pace(10, 100), () -> now);
    var ends = new ArrayList<Problem>();
    var fast = wide.begin(ArrivalRoom.Owner.account("a"), ends::add);
    var whole = wide.begin(ArrivalRoom.Owner.account("b"), ends::add);
    for (int i = 0; i < 99; i++) {
      assertTrue(fast.take(20));
      pass(1_000);
    }
    assertTrue(whole.take(20));
    assertTrue(whole.complete());
    pass(999);
    wide.endTooSlow();
    assertEquals(List.of(), ends);
    pass(1);
    wide.endTooSlow();
    assertEquals(List.of(ErrorCode.VALIDATION_ERROR), ends.stream().map(Problem::code).toList());
  }

  @Test
  void what_is_kept_of_a_body_that_comes_in_parts_may_be_slow_but_gives_way_to_faster_ones() {
    var slow = parts("a");
    assertTrue(slow.send(60));
    pass(200_000);
    room.endTooSlow();
    assertTrue(slow.send(1));
    pass(5_000);
    assertTrue(new Client("a").send(60));
    assertFalse(slow.send(1));
  }

  @Test
  void what_is_kept_is_not_ended_while_it_is_used_and_may_be_afterwards() {
    var slow = parts("a");
    assertTrue(slow.send(60));
    pass(10_000);
    assertTrue(slow.arrival.beginUse());
    assertFalse(new Client("a").send(60), "there is no room beside what is used");
    assertEquals(60, room.bytes());
    slow.arrival.endUse();
    assertTrue(new Client("a").send(60));
    assertFalse(slow.arrival.beginUse());
    assertEquals(60, room.bytes());
  }
}
