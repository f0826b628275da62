package dev.cairn.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.http.NetworkAddress;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** docs/live.md, Limits: what clients keep in memory, and which of them end if there is no room. */
class ClientRoomTest {
  private static final long SIZE = 4_000;
  private static final long OF_CALLER = SIZE / ClientRoom.CALLER_FRACTION;

  private final ClientRoom room =
      new ClientRoom(SIZE, new ClientPlaces.Callers("a caller", "callers"));

  private Watch client(String caller) {
    return new Watch(caller, List.of(), List.of(), () -> {}, room, room::leave);
  }

  private Watch from(String address) {
    return client(NetworkAddress.network(address));
  }

  private Watch keeping(long bytes, Watch client) {
    client.keep(bytes);
    return client;
  }

  private static void refused(ErrorCode code, Watch client, long bytes) {
    assertEquals(code, assertThrows(Problem.class, () -> client.keep(bytes)).code());
  }

  @Test
  void a_caller_keeps_up_to_a_quarter_with_all_of_its_clients() {
    var first = keeping(OF_CALLER - 10, client("a"));
    var second = keeping(10, client("a"));
    refused(ErrorCode.RATE_LIMITED, second, 1);
    assertEquals(OF_CALLER, room.used());
    first.drop(1);
    second.keep(1);
    refused(ErrorCode.RATE_LIMITED, client("a"), 1);
    first.close();
    first.close();
    second.close();
    assertEquals(0, room.used());
  }

  @Test
  void what_a_caller_may_keep_can_be_asked_before_it_is_counted() {
    keeping(OF_CALLER - 1, client("a"));
    room.requirePart(client("a"), 1);
    assertThrows(Problem.class, () -> room.requirePart(client("a"), 2));
    room.requirePart(client("b"), OF_CALLER);
    assertEquals(OF_CALLER - 1, room.used());
  }

  @Test
  void if_all_callers_keep_as_much_another_one_finds_no_room() {
    for (int i = 0; i < ClientRoom.CALLER_FRACTION; i++) {
      keeping(OF_CALLER, client("other" + i));
    }
    refused(ErrorCode.UNAVAILABLE, client("more"), OF_CALLER);
    assertEquals(SIZE, room.used());
  }

  @Test
  void the_newest_client_of_the_caller_with_the_most_ends_and_counts_until_it_has() {
    var older = keeping(OF_CALLER / 2, client("a"));
    var newest = keeping(OF_CALLER / 2, client("a"));
    int others = ClientRoom.CALLER_FRACTION;
    for (int i = 0; i < others; i++) {
      keeping((SIZE - OF_CALLER) / others, client("other" + i));
    }
    older.drop(10);
    keeping(10, older);
    var other = client("other");
    refused(ErrorCode.UNAVAILABLE, other, 10);
    assertEquals(Optional.of(Ending.CROWDED), newest.ending());
    assertEquals(Optional.empty(), older.ending());
    assertEquals(SIZE, room.used());
    refused(ErrorCode.UNAVAILABLE, newest, 1);
    newest.drop(10);
    newest.close();
    other.keep(10);
    assertEquals(SIZE - OF_CALLER / 2 + 10, room.used());
  }

  @Test
  void a_network_with_many_addresses_gives_way_to_another_network() {
    var clients =
        IntStream.rangeClosed(1, ClientRoom.CALLER_FRACTION)
            .mapToObj(i -> keeping(OF_CALLER, from("198.51.100." + i)))
            .toList();
    refused(ErrorCode.UNAVAILABLE, from("198.51.100.9"), OF_CALLER);
    assertTrue(clients.stream().allMatch(client -> client.ending().isEmpty()));
    var other = from("203.0.113.1");
    refused(ErrorCode.UNAVAILABLE, other, 1);
    assertEquals(SIZE, room.used());
    clients.stream().filter(client -> client.ending().isPresent()).toList().forEach(Watch::close);
    other.keep(OF_CALLER);
    assertEquals(SIZE, room.used());
  }
}
