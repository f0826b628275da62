package dev.cairn.egress;

import java.util.ArrayList;
import java.util.List;

/** The IPv4 addresses that an IPv6 address carries, by any of the forms that exist for it. */
final class EmbeddedAddresses {
  private static final AddressRange COMPATIBLE = AddressRange.parse("::/96");
  private static final AddressRange TRANSLATED = AddressRange.parse("::ffff:0:0:0/96");
  private static final AddressRange NAT64 = AddressRange.parse("64:ff9b::/96");
  private static final AddressRange LOCAL_NAT64 = AddressRange.parse("64:ff9b:1::/48");
  private static final AddressRange SIX_TO_FOUR = AddressRange.parse("2002::/16");
  private static final AddressRange TEREDO = AddressRange.parse("2001::/32");

  private EmbeddedAddresses() {}

  /** All of them; none for an IPv4 address. */
  static List<byte[]> of(byte[] address) {
    var found = new ArrayList<byte[]>();
    if (COMPATIBLE.contains(address) || TRANSLATED.contains(address) || NAT64.contains(address)) {
      found.add(pick(address, 12, 13, 14, 15));
    }
    if (LOCAL_NAT64.contains(address)) { // RFC 6052, whatever length of prefix is used within
      found.add(pick(address, 6, 7, 9, 10));
      found.add(pick(address, 7, 9, 10, 11));
      found.add(pick(address, 9, 10, 11, 12));
      found.add(pick(address, 12, 13, 14, 15));
    }
    if (SIX_TO_FOUR.contains(address)) {
      found.add(pick(address, 2, 3, 4, 5));
    }
    if (TEREDO.contains(address)) {
      found.add(pick(address, 4, 5, 6, 7));
      found.add(inverted(pick(address, 12, 13, 14, 15)));
    }
    if (isIsatap(address)) {
      found.add(pick(address, 12, 13, 14, 15));
    }
    return found;
  }

  /** RFC 5214: the interface identifier is {@code 0:5efe} or {@code 200:5efe} and the address. */
  private static boolean isIsatap(byte[] address) {
    return address.length == 16
        && (address[8] & ~2) == 0
        && address[9] == 0
        && address[10] == 0x5e
        && address[11] == (byte) 0xfe;
  }

  private static byte[] pick(byte[] address, int... places) {
    var picked = new byte[places.length];
    for (int i = 0; i < places.length; i++) {
      picked[i] = address[places[i]];
    }
    return picked;
  }

  private static byte[] inverted(byte[] address) {
    var inverted = new byte[address.length];
    for (int i = 0; i < address.length; i++) {
      inverted[i] = (byte) ~address[i];
    }
    return inverted;
  }
}
