package dev.cairn.egress;

import dev.cairn.platform.CairnConfig;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The network around the service of the tests: it has one name of an inside address. Whatever the
 * service says of that name, it must say of one that does not exist. It replaces the policy of the
 * service in all tests, since an alternative for some of them would need another start; so it
 * resolves all other names as the service does, and uses their addresses for as long.
 */
@Dependent
public class InsideNames {
  /** As in {@link EgressPolicy}. */
  private static final Duration MAX_CACHE_AGE = Duration.ofSeconds(30);

  private static final String EXISTS = "inside.example";
  private static final String MISSING = "missing.example";

  @Produces
  @Singleton
  @Alternative
  @Priority(1)
  EgressPolicy policy(CairnConfig config) {
    return new EgressPolicy(
        config.egress().allow().orElse(List.of()),
        new BoundedResolver(InsideNames::addresses, MAX_CACHE_AGE));
  }

  private static List<InetAddress> addresses(String host) throws UnknownHostException {
    return switch (host) {
      case EXISTS -> List.of(AddressRange.address("10.1.2.3"));
      case MISSING -> throw new UnknownHostException(host);
      default -> NameResolver.SYSTEM.resolve(host);
    };
  }

  /** URLs that differ in their host alone, of which only the first one exists. */
  public static Stream<String> urls(String scheme) {
    return Stream.of(EXISTS, MISSING).map(host -> scheme + "://" + host + "/hook");
  }

  /** A text without these names. */
  public static String masked(String text) {
    return text.replace(EXISTS, "…").replace(MISSING, "…");
  }
}
