package dev.cairn.egress;

import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Which URLs may be called: https on 443 or 8443 where every address of the host is public, and
 * what {@code cairn.egress.allow} lists.
 */
@Singleton
public final class EgressPolicy {
  /** The {@code reason} among the details of a refusal. */
  public static final String REASON = "WEBHOOK_TARGET_FORBIDDEN";

  private static final int MAX_URL = 2_048;
  private static final Duration LOOK_UP = Duration.ofSeconds(5);

  private final AllowList allowed;
  private final BoundedResolver resolver;

  @Inject
  EgressPolicy(CairnConfig config) {
    this(config.egress().allow().orElse(List.of()), NameResolver.SYSTEM);
  }

  EgressPolicy(List<String> allow, NameResolver resolver) {
    this.allowed = AllowList.parse(allow);
    this.resolver = new BoundedResolver(resolver);
  }

  /**
   * Says no to a URL that could not be called, when it is stored. A name that does not resolve now
   * is accepted; the call will ask again in any case.
   *
   * @param pointer where the URL stands in the request's body
   * @throws Problem a {@code VALIDATION_ERROR}, with {@link #REASON} among its details unless the
   *     URL is merely too long
   */
  public void check(String pointer, String url) {
    if (url.length() > MAX_URL) {
      throw Problem.invalid(pointer, "A URL has at most %,d characters.".formatted(MAX_URL));
    }
    try {
      var target = TargetUrl.parse(url);
      admit(target, addressesNow(target));
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

  /** A URL for who may not change it: what it says beyond its origin may be a secret. */
  public static String cut(String url) {
    return origin(url) + "/…";
  }

  private List<InetAddress> addressesNow(TargetUrl target) {
    try {
      return addresses(target, Deadline.in(LOOK_UP));
    } catch (NetworkException e) {
      return List.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  /** Resolves a URL's host, once, and vets all of its addresses. */
  VettedTarget vet(String url, Deadline deadline)
      throws ForbiddenTargetException, NetworkException, InterruptedException {
    var target = TargetUrl.parse(url);
    var addresses = addresses(target, deadline);
    admit(target, addresses);
    return new VettedTarget(target, addresses);
  }

  private List<InetAddress> addresses(TargetUrl target, Deadline deadline)
      throws NetworkException, InterruptedException {
    return target.literal().isPresent()
        ? List.of(target.literal().get())
        : resolver.resolve(target.host(), deadline);
  }

  private void admit(TargetUrl target, List<InetAddress> addresses)
      throws ForbiddenTargetException {
    boolean named = allowed.names(target.host());
    for (var address : addresses) {
      var special = SpecialRange.of(address);
      if (special.isPresent()
          && !allowed.lists(address)
          && !(named && isOpenedByName(special.get()))) {
        throw new ForbiddenTargetException(
            "The URL's host is or resolves to %s address, which may not be called."
                .formatted(special.get().kind().words()));
      }
    }
    boolean listed = named || (!addresses.isEmpty() && addresses.stream().allMatch(allowed::lists));
    if (!target.isOrdinary() && !listed) {
      throw new ForbiddenTargetException(
          "The URL must be https on port 443 or 8443: only hosts that the operator lists are called"
              + " otherwise.");
    }
  }

  /** A listed name opens whatever it resolves to, except where clouds hand out credentials. */
  private static boolean isOpenedByName(SpecialRange special) {
    return special.kind() != SpecialRange.Kind.METADATA;
  }
}
