package dev.cairn.platform.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limits, fair shares: which addresses may belong to one holder. */
class NetworkAddressTest {
  @ParameterizedTest
  @CsvSource({
    "192.0.2.7, c00002 c0000207",
    "2001:db8:1:2::3, 20010db80001 20010db8000100 20010db800010002",
  })
  void an_address_is_in_wider_networks(String address, String networks) {
    var all = List.of(networks.split(" "));
    assertEquals(all, NetworkAddress.networks(address));
    assertEquals(all.getLast(), NetworkAddress.network(address));
  }

  @ParameterizedTest
  @CsvSource({
    "address:c0000207, address:c00002 address:c0000207",
    "account:01a2042b-521e-7e71-b843-0affce4c0ff0, account:01a2042b-521e-7e71-b843-0affce4c0ff0",
    "01a2042b-521e-7e71-b843-0affce4c0ff0, 01a2042b-521e-7e71-b843-0affce4c0ff0",
  })
  void what_owns_work_is_in_the_networks_of_its_address_or_only_in_itself(
      String owner, String groups) {
    assertEquals(List.of(groups.split(" ")), NetworkAddress.enclosing(owner));
  }
}
