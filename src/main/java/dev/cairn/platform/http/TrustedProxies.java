package dev.cairn.platform.http;

import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.StartupCheck;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.common.net.CidrAddress;
import io.smallrye.common.net.Inet;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * The proxies whose {@code X-Forwarded-For} is trusted, from Quarkus's own settings: {@code
 * docs/operation.md}, Behind a proxy.
 */
@Singleton
class TrustedProxies implements StartupCheck {
  private static final Logger LOG = Logger.getLogger(TrustedProxies.class);
  private static final String PREFIX = "quarkus.http.proxy.";

  private final boolean isForwarding;
  private final boolean readsOtherHeader;
  private final List<String> entries;
  private final List<CidrAddress> ranges;

  TrustedProxies(
      @ConfigProperty(name = PREFIX + "proxy-address-forwarding", defaultValue = "false")
          boolean isForwarding,
      @ConfigProperty(name = PREFIX + "allow-forwarded", defaultValue = "false")
          boolean allowForwarded,
      @ConfigProperty(name = PREFIX + "allow-x-forwarded", defaultValue = "true")
          boolean allowXForwarded,
      @ConfigProperty(name = PREFIX + "trusted-proxies") Optional<List<String>> trusted) {
    this.isForwarding = isForwarding;
    this.readsOtherHeader = allowForwarded || !allowXForwarded;
    this.entries = trusted.orElse(List.of()).stream().map(String::strip).toList();
    this.ranges = entries.stream().map(TrustedProxies::range).filter(Objects::nonNull).toList();
  }

  /** Whether this is the address of a trusted proxy. */
  boolean contains(InetAddress address) {
    return isForwarding && ranges.stream().anyMatch(range -> range.matches(address));
  }

  /** Warns that commands on this machine connect from a loopback address, like a proxy there. */
  void warn(@Observes StartupEvent event, CairnConfig config) {
    if (isForwarding
        && config.sprite().backend().filter("local"::equals).isPresent()
        && ranges.stream().anyMatch(TrustedProxies::holdsLoopback)) {
      LOG.warnf(
          "%s has a loopback address, and cairn.sprite.backend (CAIRN_SPRITE_BACKEND) is local:"
              + " commands of sprites can choose the client address that rate limits and the audit"
              + " log take from them. Run the proxy or the commands on another machine.",
          named("trusted-proxies", "TRUSTED_PROXIES"));
    }
  }

  private static boolean holdsLoopback(CidrAddress range) {
    // Not a constant of this class: a native image must not contain addresses.
    return range.getNetworkAddress().isLoopbackAddress()
        || Stream.of(Inet.INET4_LOOPBACK, Inet.INET6_LOOPBACK).anyMatch(range::matches);
  }

  private static CidrAddress range(String entry) {
    return entry.indexOf('/') >= 0 ? Inet.parseCidrAddress(entry) : single(entry);
  }

  private static CidrAddress single(String entry) {
    var address = Inet.parseInetAddress(entry);
    return address == null
        ? null
        : CidrAddress.create(address, address.getAddress().length * Byte.SIZE);
  }

  @Override
  public List<String> faults() {
    var faults = new ArrayList<String>();
    if (isForwarding && entries.isEmpty()) {
      faults.add(
          named("trusted-proxies", "TRUSTED_PROXIES")
              + " must name the proxies in front: without it, a client chooses its own address for"
              + " rate limits and the audit log.");
    }
    if (!isForwarding && !entries.isEmpty()) {
      faults.add(
          named("trusted-proxies", "TRUSTED_PROXIES")
              + " has no effect without quarkus.http.proxy.proxy-address-forwarding=true.");
    }
    if (isForwarding && readsOtherHeader) {
      faults.add(
          named("allow-forwarded", "ALLOW_FORWARDED")
              + " must be false and quarkus.http.proxy.allow-x-forwarded true: the client's address"
              + " is read from X-Forwarded-For alone.");
    }
    entries.forEach(entry -> fault(entry).ifPresent(faults::add));
    return faults;
  }

  private static Optional<String> fault(String entry) {
    var range = range(entry);
    if (range == null) {
      return Optional.of(
          named("trusted-proxies", "TRUSTED_PROXIES")
              + " takes addresses and CIDRs, without host names and ports; `"
              + entry
              + "` is neither.");
    }
    if (range.getNetmaskBits() == 0) {
      return Optional.of(
          named("trusted-proxies", "TRUSTED_PROXIES")
              + " must not be `"
              + entry
              + "`, which trusts everybody.");
    }
    return Optional.empty();
  }

  private static String named(String property, String variable) {
    return PREFIX + property + " (QUARKUS_HTTP_PROXY_" + variable + ")";
  }
}
