package dev.cairn.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.egress.SpecialRange.Kind;
import java.net.InetAddress;
import java.net.UnknownHostException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpecialRangeTest {
  @ParameterizedTest
  @CsvSource({
    "0.0.0.0, 0.255.255.255, RESERVED",
    "10.0.0.0, 10.255.255.255, PRIVATE",
    "100.64.0.0, 100.127.255.255, PRIVATE",
    "127.0.0.0, 127.255.255.255, LOOPBACK",
    "169.254.0.0, 169.254.255.255, LINK_LOCAL",
    "172.16.0.0, 172.31.255.255, PRIVATE",
    "192.0.0.0, 192.0.0.255, RESERVED",
    "192.0.2.0, 192.0.2.255, RESERVED",
    "192.88.99.0, 192.88.99.255, RESERVED",
    "192.168.0.0, 192.168.255.255, PRIVATE",
    "198.18.0.0, 198.19.255.255, RESERVED",
    "198.51.100.0, 198.51.100.255, RESERVED",
    "203.0.113.0, 203.0.113.255, RESERVED",
    "224.0.0.0, 239.255.255.255, MULTICAST",
    "240.0.0.0, 255.255.255.255, RESERVED",
    "::, ::, RESERVED",
    "::1, ::1, LOOPBACK",
    "::2, ::ffff:ffff, RESERVED",
    "64:ff9b:1::, 64:ff9b:1:ffff:ffff:ffff:ffff:ffff, RESERVED",
    "100::, 1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff, RESERVED",
    "2001::, 2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff, RESERVED",
    "2001:db8::, 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff, RESERVED",
    "2002::, 2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff, RESERVED",
    "3fff::, 3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff, RESERVED",
    "4000::, fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff, RESERVED",
    "fc00::, fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff, PRIVATE",
    "fe00::, fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff, RESERVED",
    "fe80::, febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff, LINK_LOCAL",
    "fec0::, feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff, RESERVED",
    "ff00::, ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff, MULTICAST"
  })
  void a_special_range_is_special_from_its_first_address_to_its_last(
      String first, String last, Kind kind) {
    assertEquals(kind, kind(first));
    assertEquals(kind, kind(last));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.0.0.0",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "169.253.255.255",
        "169.255.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "191.255.255.255",
        "192.0.1.0",
        "192.0.1.255",
        "192.0.3.0",
        "192.88.98.255",
        "192.88.100.0",
        "192.167.255.255",
        "192.169.0.0",
        "198.17.255.255",
        "198.20.0.0",
        "198.51.99.255",
        "198.51.101.0",
        "203.0.112.255",
        "203.0.114.0",
        "223.255.255.255",
        "168.63.129.15",
        "168.63.129.17",
        "2000::",
        "2000:ffff::",
        "2001:200::",
        "2001:db7:ffff::",
        "2001:db9::",
        "2001:ffff::",
        "2003::",
        "2606:4700:4700::1111",
        "3ffe:ffff::",
        "3fff:1000::",
        "64:ff9b::8.8.8.8",
        "::ffff:8.8.8.8"
      })
  void what_lies_beside_a_special_range_is_public(String address) {
    assertTrue(SpecialRange.of(AddressRange.address(address)).isEmpty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "169.254.169.254",
        "169.254.170.2",
        "192.0.0.192",
        "100.100.100.200",
        "168.63.129.16",
        "fd00:ec2::254",
        "fd20:ce::254",
        "::ffff:169.254.169.254",
        "::169.254.169.254",
        "::ffff:0:169.254.169.254",
        "64:ff9b::169.254.169.254",
        "64:ff9b:1::169.254.169.254",
        "64:ff9b:1:a9fe:a9:fe00::",
        "64:ff9b:1:a9:fe:a9fe::",
        "64:ff9b:1:0:a9:fea9:fe00:0",
        "2002:a9fe:a9fe::1",
        "2001:0:a9fe:a9fe::1",
        "2001::5601:5601",
        "2606:4700::5efe:169.254.169.254",
        "2606:4700::200:5efe:169.254.169.254"
      })
  void a_metadata_address_is_one_however_it_is_carried(String address) {
    assertEquals(Kind.METADATA, kind(address));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "64:ff9b::127.0.0.1",
        "64:ff9b::10.0.0.1",
        "2606:4700::5efe:127.0.0.1",
        "2606:4700::200:5efe:10.1.2.3"
      })
  void an_ipv6_address_that_carries_a_special_ipv4_one_is_not_public(String address) {
    assertEquals(Kind.RESERVED, kind(address));
  }

  @Property
  void every_address_that_java_knows_to_be_special_is_special(
      @ForAll @Size(4) byte[] four, @ForAll @Size(16) byte[] sixteen) throws UnknownHostException {
    for (var bytes : new byte[][] {four, sixteen}) {
      var address = InetAddress.getByAddress(bytes);
      if (address.isAnyLocalAddress()
          || address.isLoopbackAddress()
          || address.isLinkLocalAddress()
          || address.isSiteLocalAddress()
          || address.isMulticastAddress()) {
        assertTrue(SpecialRange.of(address).isPresent(), address::toString);
      }
    }
  }

  private static Kind kind(String address) {
    return SpecialRange.of(AddressRange.address(address)).orElseThrow().kind();
  }
}
