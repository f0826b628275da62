package dev.cairn.egress;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A range of addresses that is not public, after IANA's registries of special-purpose addresses.
 * IPv6 addresses with an embedded IPv4 one are checked by that one too, since a gateway or the
 * kernel may send the packets there.
 */
record SpecialRange(AddressRange range, Kind kind) {
  /** Why it is not public. */
  enum Kind {
    /** Networks of one's own, which an operator opens by any range that covers them. */
    PRIVATE("a private"),
    LOOPBACK("a loopback"),
    LINK_LOCAL("a link-local"),
    /** Addresses at which clouds give credentials to any machine of theirs. */
    METADATA("a metadata"),
    MULTICAST("a multicast"),
    RESERVED("a reserved");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    /** For a sentence, with its article. */
    String words() {
      return words;
    }
  }

  private static final List<SpecialRange> ALL =
      Stream.of(
              ranges(Kind.LOOPBACK, "127.0.0.0/8", "::1/128"),
              ranges(Kind.LINK_LOCAL, "169.254.0.0/16", "fe80::/10"),
              ranges(Kind.MULTICAST, "224.0.0.0/4", "ff00::/8"),
              ranges(
                  Kind.PRIVATE,
                  "10.0.0.0/8",
                  "172.16.0.0/12",
                  "192.168.0.0/16",
                  "100.64.0.0/10", // between a provider and its customers
                  "fc00::/7"),
              ranges(
                  Kind.METADATA,
                  "169.254.169.254", // AWS, Azure, Google, Oracle and most others
                  "169.254.170.2", // AWS, tasks
                  "169.254.170.23", // AWS, pods
                  "169.254.42.42", // Scaleway
                  "169.254.0.23", // Tencent
                  "192.0.0.192", // Oracle
                  "100.100.100.200", // Alibaba
                  "168.63.129.16", // Azure, within a public range
                  "fd00:ec2::254", // AWS
                  "fd00:ec2::23", // AWS, pods
                  "fd20:ce::254", // Google
                  "fd00:42::42"), // Scaleway
              ranges(
                  Kind.RESERVED,
                  "0.0.0.0/8",
                  "192.0.0.0/24",
                  "192.0.2.0/24", // documentation
                  "192.88.99.0/24",
                  "198.18.0.0/15", // benchmarks
                  "198.51.100.0/24", // documentation
                  "203.0.113.0/24", // documentation
                  "240.0.0.0/4",
                  "::/128",
                  "::/3", // with IPv4-compatible ones and all forms of NAT64
                  "64:ff9b::/96",
                  "64:ff9b:1::/48",
                  "2001::/23", // with Teredo, ORCHID and benchmarks
                  "2001:db8::/32", // documentation
                  "2002::/16", // 6to4
                  "3fff::/20", // documentation
                  "4000::/2",
                  "8000::/1"))
          .flatMap(List::stream)
          .toList();

  private static final AddressRange NAT64 = AddressRange.parse("64:ff9b::/96");

  /** The narrowest range that {@code address} is in; empty for a public address. */
  static Optional<SpecialRange> of(InetAddress address) {
    return of(address.getAddress());
  }

  private static Optional<SpecialRange> of(byte[] address) {
    var listed =
        ALL.stream()
            .filter(special -> special.range.contains(address))
            .max(Comparator.comparingInt(special -> special.range.prefix()));
    var embedded =
        EmbeddedAddresses.of(address).stream()
            .map(SpecialRange::of)
            .flatMap(Optional::stream)
            .toList();
    if (embedded.stream().anyMatch(special -> special.kind == Kind.METADATA)) {
      return Optional.of(new SpecialRange(new AddressRange(address, 128), Kind.METADATA));
    }
    if (NAT64.contains(address) && embedded.isEmpty()) {
      return Optional.empty();
    }
    return listed.isEmpty() && !embedded.isEmpty()
        ? Optional.of(new SpecialRange(new AddressRange(address, 96), Kind.RESERVED))
        : listed;
  }

  private static List<SpecialRange> ranges(Kind kind, String... texts) {
    return Arrays.stream(texts)
        .map(text -> new SpecialRange(AddressRange.parse(text), kind))
        .toList();
  }
}
