package dev.cairn.egress;

import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.Deadline;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/**
 * Which URLs may be called: https on 443 or 8443 if every address of the host is public, and what
 * {@code cairn.egress.allow} lists. A name with an inside address is answered like a name that does
 * not resolve, so that callers cannot find out which names exist inside.
 */
@Singleton
public final class EgressPolicy {
  /** The {@code reason} among the details of a refusal. */
  public static final String REASON = "WEBHOOK_TARGET_FORBIDDEN";

  private static final int MAX_URL = 2_048;
  private static final Duration LOOKUP_TIMEOUT = Duration.ofSeconds(5);

  /** How long a looked-up address is used: as long as Java itself caches it. */
  private static final Duration MAX_CACHE_AGE = Duration.ofSeconds(30);

  private final AllowList allowed;
  private final BoundedResolver resolver;

  @Inject
  EgressPolicy(CairnConfig config) {
    this(
        config.egress().allow().orElse(List.of()),
        new BoundedResolver(NameResolver.SYSTEM, MAX_CACHE_AGE));
  }

  EgressPolicy(List<String> allow, BoundedResolver resolver) {
    this.allowed = AllowList.parse(allow);
    this.resolver = resolver;
  }

  /**
   * Refuses a URL that may not be called as it is written, when it is stored. The addresses of a
   * name are checked by each call.
   *
   * @param accountId who stores it
   * @param pointer where the URL stands in the request's body
   * @throws Problem a {@code VALIDATION_ERROR}, with {@link #REASON} among its details unless the
   *     URL is merely too long
   */
  public void check(UUID accountId, String pointer, String url) {
    if (url.length() > MAX_URL) {
      throw Problem.invalid(pointer, "A URL has at most %,d characters.".formatted(MAX_URL));
    }
    try {
      var target = TargetUrl.parse(url);
      if (target.tellsItsAddress()) {
        refuseInside(target, addressesNow(target, accountId));
      }
      if (!target.isOrdinary() && !allowed.names(target.host())) {
        refuseUnlisted(addressesNow(target, accountId));
      }
    } catch (ForbiddenTargetException e) {
      throw Problem.invalid(pointer, e.getMessage()).with("reason", REASON);
    }
  }

  /**
   * Scheme, host and port as they are written, in lower case.
   *
   * @param url one that was {@linkplain #check checked}
   */
  public static String origin(String url) {
    var uri = URI.create(url);
    return (uri.getScheme() + "://" + uri.getRawAuthority()).toLowerCase(Locale.ROOT);
  }

  /** A URL for callers that may not change it: what follows its origin may be a secret. */
  public static String cut(String url) {
    return origin(url) + "/…";
  }

  private List<InetAddress> addressesNow(TargetUrl target, UUID accountId) {
    try {
      return addresses(target, accountId.toString(), Deadline.in(LOOKUP_TIMEOUT));
    } catch (NetworkException e) {
      return List.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  /** How many look-ups of names wait for others to end. */
  int waitingLookUps() {
    return resolver.waiting();
  }

  /**
   * Resolves a URL's host, once, and vets all of its addresses.
   *
   * @param requester as in {@link EgressRequest}
   */
  VettedTarget vet(String requester, String url, Deadline deadline)
      throws ForbiddenTargetException, NetworkException, InterruptedException {
    var target = TargetUrl.parse(url);
    var addresses = addresses(target, requester, deadline);
    if (target.tellsItsAddress()) {
      refuseInside(target, addresses);
    } else if (inside(target, addresses).isPresent()) {
      throw new NetworkException(NetworkFault.RESOLUTION);
    }
    if (!target.isOrdinary() && !allowed.names(target.host())) {
      refuseUnlisted(addresses);
    }
    return new VettedTarget(target, addresses);
  }

  /** Resolves the host of a URL that the operator configured; any address may be called. */
  VettedTarget resolve(String requester, String url, Deadline deadline)
      throws ForbiddenTargetException, NetworkException, InterruptedException {
    var target = TargetUrl.parse(url);
    return new VettedTarget(target, addresses(target, requester, deadline));
  }

  private List<InetAddress> addresses(TargetUrl target, String requester, Deadline deadline)
      throws NetworkException, InterruptedException {
    return target.literal().isPresent()
        ? List.of(target.literal().get())
        : resolver.resolve(requester, target.host(), deadline);
  }

  /** The range of the first address that may not be called; empty if all may. */
  private Optional<SpecialRange> inside(TargetUrl target, List<InetAddress> addresses) {
    boolean named = allowed.names(target.host());
    return addresses.stream()
        .filter(address -> !allowed.lists(address))
        .map(SpecialRange::of)
        .flatMap(Optional::stream)
        .filter(special -> !named || !isOpenedByName(special))
        .findFirst();
  }

  private void refuseInside(TargetUrl target, List<InetAddress> addresses)
      throws ForbiddenTargetException {
    var special = inside(target, addresses);
    if (special.isPresent()) {
      throw new ForbiddenTargetException(
          "The URL's host is %s address, which may not be called."
              .formatted(special.get().kind().words()));
    }
  }

  private void refuseUnlisted(List<InetAddress> addresses) throws ForbiddenTargetException {
    if (addresses.isEmpty() || !addresses.stream().allMatch(allowed::lists)) {
      throw new ForbiddenTargetException(
          "The URL must be https on port 443 or 8443: only hosts that the operator lists are called"
              + " otherwise.");
    }
  }

  /** A listed name permits any address that it resolves to, except metadata addresses. */
  private static boolean isOpenedByName(SpecialRange special) {
    return special.kind() != SpecialRange.Kind.METADATA;
  }
}
