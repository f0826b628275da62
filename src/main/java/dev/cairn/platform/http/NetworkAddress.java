package dev.cairn.platform.http;

import java.net.InetAddress;
import java.util.HexFormat;

/** Which network addresses count as one caller. */
public final class NetworkAddress {
  private static final int NETWORK_BYTES = 8;

  private NetworkAddress() {}

  /**
   * The same text for all addresses of one customer: an IPv4 address itself, or the first 64 bits
   * of an IPv6 address, because a customer gets all addresses below them.
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
}
