package dev.cairn.oauth;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.util.JSONObjectUtils;
import dev.cairn.access.limit.RateLimiter;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.http.NetworkAddress;
import dev.cairn.platform.limiter.FairShare;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Optional;

/**
 * Clients whose id is the URL of a document that describes them (OAuth client id metadata
 * documents). A valid document is cached as long as its server allows, at most a day; an invalid
 * one is not cached.
 */
// Caffeine loads the classes of a cache by name, so a native image must register them.
@RegisterForReflection(
    classNames = {
      "com.github.benmanes.caffeine.cache.SSMSA",
      "com.github.benmanes.caffeine.cache.PSAMS"
    })
@ApplicationScoped
class ClientDocuments {
  private static final Duration MAX_FRESH = Duration.ofDays(1);
  private static final int MAX_URL = 2_000;
  private static final int MAX_KEPT = 1_000;

  /**
   * How many documents are fetched at once: anybody can let this service call servers that never
   * answer. A look-up by slow name servers takes twice as long as a fetch may, so these are half of
   * the look-ups that all documents get.
   */
  static final int MAX_FETCHES = 8;

  /** Longer than a fetch, so that a network without one gets its turn after one that has some. */
  private static final Duration MAX_WAIT = EgressDocuments.TIMEOUT.plusSeconds(1);

  /** How long the time of a network's fetches counts, on average. */
  private static final Duration DECAY_TIME = Duration.ofMinutes(1);

  private final DocumentSource source;
  private final RateLimiter limiter;
  private final int perHour;
  private final FairShare<String> fetches =
      new FairShare<>(MAX_FETCHES, DECAY_TIME, NetworkAddress::networks);
  private final Cache<String, Kept> kept =
      Caffeine.newBuilder()
          .maximumSize(MAX_KEPT)
          .expireAfter(Expiry.<String, Kept>writing((_, value) -> value.freshFor()))
          .build();

  private record Kept(Client client, Duration freshFor) {}

  ClientDocuments(
      DocumentSource source, RateLimiter limiter, CairnConfig config, MeterRegistry metrics) {
    this.source = source;
    this.limiter = limiter;
    this.perHour = config.limits().registrationsPerHour();
    Gauge.builder("cairn.client.documents.waiting", fetches, FairShare::waiting)
        .description("Documents of OAuth clients that wait in this replica to be fetched")
        .register(metrics);
  }

  /**
   * The client whose id is this URL, if it is an https URL with a valid document.
   *
   * @throws Problem {@code UNAVAILABLE} if it is not known yet whether there is one
   */
  Optional<Client> find(String id, String address) {
    var known = kept.getIfPresent(id);
    if (known != null) {
      return Optional.of(known.client());
    }
    return url(id).flatMap(url -> fetch(id, url, address));
  }

  private Optional<Client> fetch(String id, URI url, String address) {
    limiter.takeByAddress("client documents", address, perHour, Duration.ofHours(1));
    var document = fetched(url, address);
    var client = document.flatMap(d -> read(id, url, d.body()));
    client.ifPresent(c -> kept.put(id, new Kept(c, shorter(document.get().freshFor()))));
    return client;
  }

  private Optional<DocumentSource.Document> fetched(URI url, String address) {
    if (!fetches.begin(address, MAX_WAIT)) {
      throw busy();
    }
    try {
      return source.fetch(url);
    } finally {
      fetches.end(address);
    }
  }

  static Problem busy() {
    return Problem.of(
        ErrorCode.UNAVAILABLE,
        "Too many documents of clients are being fetched at this moment; try again.");
  }

  private static Optional<URI> url(String id) {
    try {
      var url = new URI(id);
      boolean fit =
          id.length() <= MAX_URL
              && "https".equals(url.getScheme())
              && url.getHost() != null
              && url.getRawUserInfo() == null
              && url.getRawFragment() == null
              && url.getRawPath().length() > 1
              && url.normalize().equals(url);
      return fit ? Optional.of(url) : Optional.empty();
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }

  private static Optional<Client> read(String id, URI url, String body) {
    try {
      var json = JSONObjectUtils.parse(body);
      if (!id.equals(json.get("client_id")) || json.containsKey("client_secret")) {
        return Optional.empty();
      }
      var wanted = Registration.read(json);
      return Optional.of(
          new Client(
              id,
              wanted.name(),
              wanted.redirectUris(),
              "A program of " + url.getHost() + ", which vouches for its name"));
    } catch (ParseException | OAuthError e) {
      return Optional.empty();
    }
  }

  private static Duration shorter(Duration freshFor) {
    return freshFor.compareTo(MAX_FRESH) < 0 ? freshFor : MAX_FRESH;
  }
}
