package dev.cairn.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.http.NetworkAddress;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/live.md, Limits: whose client ends if there is no place for another one. */
class ClientPlacesTest {
  private static final int MAX = 12;
  private static final int OF_CALLER = 6;

  private final ClientPlaces places =
      new ClientPlaces(MAX, OF_CALLER, new ClientPlaces.Callers("a caller", "callers"));

  private static Watch client(String caller) {
    return new Watch(caller, List.of(), List.of(), () -> {}, null, _ -> {});
  }

  private static Watch from(String address) {
    return client(NetworkAddress.network(address));
  }

  private Watch taken(Watch client) {
    assertEquals(Optional.empty(), places.take(client));
    return client;
  }

  private void refused(ErrorCode code, Watch client) {
    assertEquals(code, assertThrows(Problem.class, () -> places.take(client)).code());
  }

  /** Has each of these addresses take places until all are taken. */
  private List<Watch> fill(String... addresses) {
    return IntStream.range(0, MAX)
        .mapToObj(i -> taken(from(addresses[i % addresses.length])))
        .toList();
  }

  @Test
  void a_caller_has_at_most_its_number_and_a_place_that_is_left_is_free() {
    var clients = Stream.generate(() -> taken(client("a"))).limit(OF_CALLER).toList();
    refused(ErrorCode.RATE_LIMITED, client("a"));
    places.leave(clients.getFirst());
    places.leave(clients.getFirst());
    taken(client("a"));
    refused(ErrorCode.RATE_LIMITED, client("a"));
  }

  @Test
  void if_all_places_are_taken_the_newest_client_of_the_caller_with_the_most_ends_for_another() {
    var clients = fill("198.51.100.1", "203.0.113.1");
    places.leave(clients.get(1));
    taken(from("192.0.2.1"));
    assertEquals(Optional.of(clients.get(10)), places.take(from("192.0.2.1")));
    // Both have five now, and the third has two.
    var replaced = places.take(from("192.0.2.1")).orElseThrow();
    assertTrue(replaced == clients.get(8) || replaced == clients.get(11));
    // Five, four and three: with one more they would change places.
    refused(ErrorCode.UNAVAILABLE, from("203.0.113.1"));
    refused(ErrorCode.UNAVAILABLE, from("198.51.100.1"));
  }

  @Test
  void a_caller_whose_client_has_ended_gets_the_place_of_nobody_else() {
    fill("198.51.100.1", "203.0.113.1");
    var replaced = places.take(from("192.0.2.1")).orElseThrow();
    refused(ErrorCode.UNAVAILABLE, client(replaced.caller()));
    places.leave(replaced);
    refused(ErrorCode.UNAVAILABLE, client(replaced.caller()));
  }

  @Test
  void many_addresses_of_one_network_count_as_one() {
    var many = IntStream.rangeClosed(1, MAX).mapToObj("198.51.100.%d"::formatted);
    var clients = fill(many.toArray(String[]::new));
    assertTrue(clients.contains(places.take(from("203.0.113.1")).orElseThrow()));
    assertTrue(clients.contains(places.take(from("203.0.113.1")).orElseThrow()));
    // In their own network, nobody has more than one.
    refused(ErrorCode.UNAVAILABLE, from("198.51.100.99"));
  }

  @Test
  void the_same_applies_to_networks_of_ipv6() {
    var many = IntStream.rangeClosed(1, MAX).mapToObj("2001:db8:1:%x00::1"::formatted);
    var clients = fill(many.toArray(String[]::new));
    assertTrue(clients.contains(places.take(from("2001:db8:2::1")).orElseThrow()));
    assertTrue(clients.contains(places.take(from("2001:db8:2:100::1")).orElseThrow()));
    refused(ErrorCode.UNAVAILABLE, from("2001:db8:1:9900::1"));
  }

  @Test
  void within_a_network_an_address_with_few_gets_the_place_of_one_with_many() {
    var clients = fill("198.51.100.1", "198.51.100.2");
    assertTrue(clients.contains(places.take(from("198.51.100.3")).orElseThrow()));
  }

  @Test
  void accounts_are_compared_one_by_one() {
    var one = UUID.randomUUID().toString();
    var other = UUID.randomUUID().toString();
    for (int i = 0; i < OF_CALLER; i++) {
      taken(client(one));
      taken(client(other));
    }
    var third = UUID.randomUUID().toString();
    var replaced =
        Stream.generate(() -> places.take(client(third)).orElseThrow().caller())
            .limit(4)
            .sorted()
            .toList();
    assertEquals(Stream.of(one, one, other, other).sorted().toList(), replaced);
    refused(ErrorCode.UNAVAILABLE, client(third));
  }
}
