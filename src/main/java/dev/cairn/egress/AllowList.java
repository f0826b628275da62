package dev.cairn.egress;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What {@code cairn.egress.allow} opens.
 *
 * @param names host names, whatever they resolve to
 * @param ranges addresses and CIDRs
 */
record AllowList(Set<String> names, List<AddressRange> ranges) {
  /**
   * Reads the entries.
   *
   * @throws IllegalArgumentException naming the first that is wrong
   */
  static AllowList parse(List<String> entries) {
    var names = new HashSet<String>();
    var ranges = new ArrayList<AddressRange>();
    for (var entry : entries) {
      var text = entry.strip();
      try {
        if (text.indexOf('/') >= 0 || text.indexOf(':') >= 0) {
          ranges.add(AddressRange.parse(text));
        } else {
          var name = HostName.normalize(text);
          if (HostName.isNumeric(name)) {
            ranges.add(AddressRange.parse(name));
          } else {
            names.add(name);
          }
        }
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "`%s` is not a host name, an address or a CIDR range: %s"
                .formatted(text, e.getMessage()),
            e);
      }
    }
    return new AllowList(Set.copyOf(names), List.copyOf(ranges));
  }

  /** Whether the list has this name, normalized. */
  boolean names(String host) {
    return names.contains(host);
  }

  /**
   * Whether the list has this address. A public or private one is listed by every range that covers
   * it, any other only by a range within its own special one: {@code 0.0.0.0/0} opens no loopback.
   */
  boolean lists(InetAddress address) {
    var special = SpecialRange.of(address);
    return ranges.stream()
        .filter(range -> range.contains(address.getAddress()))
        .anyMatch(range -> reaches(range, special));
  }

  private static boolean reaches(AddressRange range, Optional<SpecialRange> special) {
    return special.isEmpty()
        || special.get().kind() == SpecialRange.Kind.PRIVATE
        || range.within(special.get().range());
  }
}
