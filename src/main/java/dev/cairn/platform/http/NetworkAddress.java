package dev.cairn.platform.http;

import java.net.InetAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;

/** Groups the network addresses that count as one caller. */
public final class NetworkAddress {
  private static final int NETWORK_BYTES = 8;
  private static final int IPV4_BYTES = 4;
  private static final int IPV4_NETWORK_BYTES = 3;
  private static final int IPV6_SITE_BYTES = 6;

  private NetworkAddress() {}

  /**
   * The same text for all addresses of one customer of a provider: an IPv4 address itself, or the
   * first 64 bits of an IPv6 address, because a customer gets all addresses with these bits.
   */
  public static String network(InetAddress address) {
    var bytes = address.getAddress();
    return HexFormat.of().formatHex(bytes, 0, Math.min(bytes.length, NETWORK_BYTES));
  }

  /**
   * The same for an address in its usual spelling.
   *
   * @throws IllegalArgumentException for any other text
   */
  public static String network(String address) {
    return network(InetAddress.ofLiteral(address));
  }

  /**
   * The networks that may belong to one holder, the widest first; the last one is what {@link
   * #network(String)} returns: the first 24 bits of an IPv4 address, and the first 48 and 56 bits
   * of an IPv6 address.
   */
  public static List<String> networks(String address) {
    return enclosing(network(address));
  }

  /**
   * The same for a text of {@link #network(String)}, which may follow a prefix that ends with a
   * colon. Any other text, such as the id of an account, is in no network but itself.
   */
  public static List<String> enclosing(String owner) {
    int from = owner.lastIndexOf(':') + 1;
    int digits = owner.length() - from;
    int widest =
        switch (digits) {
          case 2 * IPV4_BYTES -> 2 * IPV4_NETWORK_BYTES;
          case 2 * NETWORK_BYTES -> 2 * IPV6_SITE_BYTES;
          default -> digits;
        };
    return IntStream.iterate(widest, length -> length <= digits, length -> length + 2)
        .mapToObj(length -> owner.substring(0, from + length))
        .toList();
  }
}
