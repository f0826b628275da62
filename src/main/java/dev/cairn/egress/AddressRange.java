package dev.cairn.egress;

import java.net.InetAddress;
import java.util.regex.Pattern;

/**
 * A CIDR: all addresses that begin with the same bits.
 *
 * @param network the first address, 4 or 16 bytes; bits beyond the prefix do not count
 * @param prefix how many bits are the same
 */
record AddressRange(byte[] network, int prefix) {
  private static final Pattern IPV4 =
      Pattern.compile("(0|[1-9][0-9]{0,2})(\\.(0|[1-9][0-9]{0,2})){3}");
  private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
  private static final Pattern PREFIX = Pattern.compile("[0-9]{1,3}");

  /**
   * Reads {@code 10.0.0.0/8}, {@code fc00::/7}, or an address, which is the range of itself alone.
   *
   * @throws IllegalArgumentException when it is neither
   */
  static AddressRange parse(String text) {
    int slash = text.indexOf('/');
    var network = address(slash < 0 ? text : text.substring(0, slash)).getAddress();
    int bits = network.length * Byte.SIZE;
    if (slash < 0) {
      return new AddressRange(network, bits);
    }
    var prefix = text.substring(slash + 1);
    if (!PREFIX.matcher(prefix).matches() || Integer.parseInt(prefix) > bits) {
      throw new IllegalArgumentException("the prefix must be 0 to " + bits);
    }
    return new AddressRange(network, Integer.parseInt(prefix));
  }

  /**
   * An address in its usual spelling: four decimal numbers, or IPv6 without a zone. The others
   * (octal, hexadecimal, short) mean different things to different readers. An IPv4-mapped one is
   * the IPv4 address that it maps.
   *
   * @throws IllegalArgumentException if the text is not an address in its usual spelling
   */
  static InetAddress address(String text) {
    if (!IPV4.matcher(text).matches() && !IPV6.matcher(text).matches()) {
      throw new IllegalArgumentException("not an address in its usual spelling");
    }
    return InetAddress.ofLiteral(text);
  }

  /** Whether {@code address} is one of these; an address of the other family is not. */
  boolean contains(byte[] address) {
    if (address.length != network.length) {
      return false;
    }
    for (int bit = 0; bit < prefix; bit += Byte.SIZE) {
      int mask = 0xff << Math.max(0, Byte.SIZE - (prefix - bit));
      int difference = address[bit / Byte.SIZE] ^ network[bit / Byte.SIZE];
      if ((difference & mask & 0xff) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether all of these are in {@code outer} too. */
  boolean within(AddressRange outer) {
    return prefix >= outer.prefix && outer.contains(network);
  }
}
