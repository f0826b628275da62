package dev.cairn.platform.http;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jboss.logging.Logger;

/**
 * The network address of the client, for rate limits and the audit log: {@code docs/operation.md},
 * Behind a proxy.
 *
 * <p>Each proxy appends the address of its client to {@code X-Forwarded-For}, so only the end of
 * the header can be trusted. It is read from right to left, as far as trusted proxies wrote it. The
 * framework would use the first address, which the client can choose.
 */
@Singleton
public class ClientAddress {
  private static final Logger LOG = Logger.getLogger(ClientAddress.class);
  private static final String FORWARDED_FOR = "X-Forwarded-For";
  private static final List<String> HEADERS = List.of(FORWARDED_FOR, "Forwarded");
  private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(10);

  private final TrustedProxies proxies;
  private final AtomicReference<Instant> lastWarning = new AtomicReference<>();

  ClientAddress(TrustedProxies proxies) {
    this.proxies = proxies;
  }

  /** The address of the client in its usual spelling; never null. */
  public String of(HttpServerRequest request) {
    return of(connected(request), request.headers());
  }

  /**
   * The address of the client.
   *
   * @param peer the address at the other end of the connection
   */
  String of(String peer, MultiMap headers) {
    var address = peer;
    var chain = chain(headers);
    for (int i = chain.size() - 1; i >= 0 && isTrusted(address); i--) {
      var next = literal(chain.get(i));
      if (next.isEmpty()) {
        return address;
      }
      address = next.get().getHostAddress();
    }
    return address;
  }

  void register(@Observes Filters filters) {
    filters.register(this::check, FilterPriority.CLIENT_ADDRESS);
  }

  private void check(RoutingContext context) {
    var request = context.request();
    warn(connected(request), request.headers(), Instant.now());
    context.next();
  }

  /** Warns of an ignored header, once in ten minutes, because anybody can send one. */
  void warn(String peer, MultiMap headers, Instant now) {
    if (HEADERS.stream().noneMatch(headers::contains) || isTrusted(peer)) {
      return;
    }
    var last = lastWarning.get();
    if ((last == null || !now.isBefore(last.plus(BETWEEN_WARNINGS)))
        && lastWarning.compareAndSet(last, now)) {
      LOG.warnf(
          "%s sends X-Forwarded-For or Forwarded and is not a trusted proxy, so the header is"
              + " ignored. If it is your proxy, all of its clients share one rate limit: set"
              + " quarkus.http.proxy.proxy-address-forwarding and"
              + " quarkus.http.proxy.trusted-proxies (docs/operation.md, Behind a proxy).",
          peer);
    }
  }

  private boolean isTrusted(String address) {
    return literal(address).filter(proxies::contains).isPresent();
  }

  private static String connected(HttpServerRequest request) {
    return request.connection().remoteAddress().hostAddress();
  }

  private static List<String> chain(MultiMap headers) {
    return headers.getAll(FORWARDED_FOR).stream()
        .flatMap(header -> Arrays.stream(header.split(",", -1)))
        .map(String::strip)
        .toList();
  }

  /** Reads an address to which some proxies add a port, or brackets around IPv6. */
  private static Optional<InetAddress> literal(String text) {
    var address = text;
    if (text.startsWith("[") && text.indexOf(']') > 0) {
      address = text.substring(1, text.indexOf(']'));
    } else if (text.indexOf(':') >= 0 && text.indexOf(':') == text.lastIndexOf(':')) {
      address = text.substring(0, text.indexOf(':'));
    }
    try {
      return Optional.of(InetAddress.ofLiteral(address));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
