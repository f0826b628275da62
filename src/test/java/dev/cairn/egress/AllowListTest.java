package dev.cairn.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AllowListTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "*",
        "*.example.org",
        "https://example.org",
        "example.org:8080",
        "user@example.org",
        "exa mple.org",
        "example..org",
        ".example.org",
        "-example.org",
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "10.0.0.0/",
        "10.0.0.0/8/8",
        "10.0.0/8",
        "10.0.0.256",
        "010.0.0.1",
        "0x7f.0.0.1",
        "127.1",
        "2130706433",
        "::1/129",
        "fe80::1%eth0",
        "[::1]",
        "1:2:3",
        ":::",
        "example.org/24"
      })
  void an_entry_that_means_nothing_is_refused_by_name(String entry) {
    var refusal =
        assertThrows(IllegalArgumentException.class, () -> AllowList.parse(List.of("a.b", entry)));
    assertTrue(refusal.getMessage().startsWith("`" + entry.strip() + "`"), refusal::getMessage);
  }

  @Test
  void names_are_compared_in_their_usual_spelling() {
    var list = AllowList.parse(List.of(" Hooks.Example.ORG. ", "bücher.example", "my_service"));
    assertTrue(list.names("hooks.example.org"));
    assertTrue(list.names("xn--bcher-kva.example"));
    assertTrue(list.names("my_service"));
    assertFalse(list.names("example.org"));
    assertFalse(list.names("a.hooks.example.org"));
  }

  @ParameterizedTest
  @CsvSource({
    "10.1.2.3, 10.1.2.3, true",
    "10.1.2.3, 10.1.2.4, false",
    "10.0.0.0/8, 10.255.255.255, true",
    "10.0.0.0/8, 11.0.0.0, false",
    "10.9.9.9/8, 10.1.1.1, true",
    "10.0.0.0/31, 10.0.0.1, true",
    "10.0.0.0/31, 10.0.0.2, false",
    "0.0.0.0/0, 10.0.0.1, true",
    "0.0.0.0/0, 100.64.0.1, true",
    "0.0.0.0/0, 8.8.8.8, true",
    "0.0.0.0/0, fc00::1, false",
    "::/0, fc00::1, true",
    "::/0, 10.0.0.1, false",
    "fc00::/7, fdff::1, true",
    "0.0.0.0/0, 127.0.0.1, false",
    "126.0.0.0/7, 127.0.0.1, false",
    "127.0.0.0/8, 127.0.0.1, true",
    "127.0.0.1, 127.0.0.1, true",
    "127.0.0.1, 127.0.0.2, false",
    "127.0.0.1, ::ffff:127.0.0.1, true",
    "127.0.0.1, 64:ff9b::127.0.0.1, false",
    "::/0, ::1, false",
    "::/127, ::1, false",
    "::1, ::1, true",
    "169.254.0.0/16, 169.254.1.1, true",
    "169.254.0.0/15, 169.254.1.1, false",
    "169.254.0.0/16, 169.254.169.254, false",
    "169.254.169.254/31, 169.254.169.254, false",
    "169.254.169.254/32, 169.254.169.254, true",
    "169.254.169.254, 64:ff9b::169.254.169.254, false",
    "64:ff9b::/96, 64:ff9b::169.254.169.254, false",
    "64:ff9b::/96, 64:ff9b::10.0.0.1, true",
    "100.64.0.0/10, 100.100.100.200, false",
    "fd00::/8, fd00:ec2::254, false",
    "fd00:ec2::254, fd00:ec2::254, true",
    "fe80::/10, fe80::1, true",
    "fe80::/9, fe80::1, false",
    "224.0.0.0/4, 239.0.0.1, true",
    "224.0.0.0/3, 239.0.0.1, false",
    "240.0.0.0/4, 255.255.255.255, true",
    "192.0.2.0/24, 192.0.2.1, true",
    "192.0.0.0/16, 192.0.2.1, false",
    "::/0, 2002:808:808::1, false",
    "2002::/16, 2002:808:808::1, true",
    "168.63.0.0/16, 168.63.129.16, false"
  })
  void private_ranges_open_by_any_range_and_the_others_by_their_own_alone(
      String entry, String address, boolean listed) {
    assertEquals(listed, AllowList.parse(List.of(entry)).lists(AddressRange.address(address)));
  }

  @Property
  void a_range_has_the_addresses_that_begin_with_its_bits(
      @ForAll @Size(4) byte[] network,
      @ForAll @Size(4) byte[] address,
      @ForAll @IntRange(max = 32) int prefix)
      throws UnknownHostException {
    var range =
        AddressRange.parse(InetAddress.getByAddress(network).getHostAddress() + "/" + prefix);
    int shift = 32 - prefix;
    var same = prefix == 0 || number(network) >>> shift == number(address) >>> shift;
    assertEquals(same, range.contains(address));
  }

  private static int number(byte[] address) {
    return ByteBuffer.wrap(address).getInt();
  }
}
