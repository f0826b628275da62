package dev.cairn.access.authentication;

import io.smallrye.jwt.KeyProvider;
import io.smallrye.jwt.auth.principal.DefaultJWTCallerPrincipal;
import io.smallrye.jwt.auth.principal.DefaultJWTTokenParser;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import io.smallrye.jwt.auth.principal.JWTCallerPrincipal;
import io.smallrye.jwt.auth.principal.JWTCallerPrincipalFactory;
import io.smallrye.jwt.auth.principal.KeyLocationResolver;
import io.smallrye.jwt.auth.principal.ParseException;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.LongSupplier;
import org.jose4j.http.Get;
import org.jose4j.http.SimpleGet;
import org.jose4j.http.SimpleResponse;
import org.jose4j.jwk.HttpsJwks;
import org.jose4j.keys.resolvers.VerificationKeyResolver;
import org.jose4j.lang.JoseException;
import org.jose4j.lang.UnresolvableKeyException;

/**
 * Parses tokens of an external issuer as SmallRye JWT does, but waits only a few seconds for the
 * issuer's key set, and fetches it once: SmallRye JWT waits for up to 160 s, in four attempts.
 * After a failure it does not retry for a few seconds, whatever tokens arrive. How long the issuer
 * lets its answer be cached does not count: a key that it has withdrawn must end soon. See {@code
 * docs/access.md}, External issuer.
 */
@Alternative
@Priority(1)
@ApplicationScoped
class IssuerKeyFetch extends JWTCallerPrincipalFactory {
  /** The timeout of the connection, and then of each read. */
  private static final int TIMEOUT_MILLIS = 3_000;

  /** Between a fetch that failed and the next one. */
  static final Duration PAUSE = Duration.ofSeconds(5);

  /** How long the last key set counts on if no other one can be fetched. */
  static final Duration MAX_AGE = Duration.ofHours(1);

  private final LongSupplier nanos;
  private final DefaultJWTTokenParser parser = new Parser();

  /** When a fetch failed last; also of key sets that were given up, as no fetch ever succeeded. */
  private volatile Long failedAt;

  IssuerKeyFetch() {
    this(System::nanoTime);
  }

  IssuerKeyFetch(LongSupplier nanos) {
    this.nanos = nanos;
  }

  @Override
  public JWTCallerPrincipal parse(String token, JWTAuthContextInfo settings) throws ParseException {
    var parsed = parser.parse(token, settings);
    return new DefaultJWTCallerPrincipal(
        parsed.getJoseObjects().getFirst().getHeader("typ"), parsed.getJwtClaims());
  }

  private final class Parser extends DefaultJWTTokenParser {
    private VerificationKeyResolver keys;

    @Override
    protected synchronized VerificationKeyResolver getVerificationKeyResolver(
        JWTAuthContextInfo settings) throws UnresolvableKeyException {
      if (keys == null) {
        keys =
            settings.getKeyProvider() == KeyProvider.DEFAULT
                    && !settings.isVerifyCertificateThumbprint()
                ? new Keys(settings)
                : super.getVerificationKeyResolver(settings);
      }
      return keys;
    }
  }

  private final class Keys extends KeyLocationResolver {
    Keys(JWTAuthContextInfo settings) throws UnresolvableKeyException {
      super(settings);
    }

    @Override
    protected HttpsJwks getHttpsJwks(String location) {
      var keySet =
          new KeySet(
              location, Duration.ofMinutes(authContextInfo.getJwksRetainCacheOnErrorDuration()));
      keySet.setDefaultCacheDuration(
          Duration.ofMinutes(authContextInfo.getJwksRefreshInterval()).toSeconds());
      return keySet;
    }

    @Override
    protected Get getHttpGet() {
      var get = super.getHttpGet();
      get.setConnectTimeout(TIMEOUT_MILLIS);
      get.setReadTimeout(TIMEOUT_MILLIS);
      get.setRetries(0);
      return get;
    }
  }

  private final class KeySet extends HttpsJwks {
    private final Duration retention;
    private volatile long fetchedAt = nanos.getAsLong();

    /** When the issuer answered last; what it said may be no key set. */
    private volatile long answeredAt = fetchedAt;

    /**
     * Not fetched yet.
     *
     * @param retention how long it is kept after a fetch that failed
     */
    KeySet(String location, Duration retention) {
      super(location);
      this.retention = retention;
    }

    @Override
    public void setSimpleHttpGet(SimpleGet get) {
      super.setSimpleHttpGet(
          url -> {
            var answer = get.get(url);
            answeredAt = nanos.getAsLong();
            return new WithoutHeaders(
                answer.getStatusCode(), answer.getStatusMessage(), answer.getBody());
          });
    }

    @Override
    public void refresh() throws JoseException, IOException {
      boolean isTooOld = nanos.getAsLong() - fetchedAt > MAX_AGE.toNanos();
      setRetainCacheOnErrorDuration(isTooOld ? 0 : retention.toSeconds());
      var failed = failedAt;
      if (failed != null && nanos.getAsLong() - failed < PAUSE.toNanos()) {
        throw new IOException("The key set could not be fetched a moment ago.");
      }
      try {
        super.refresh(); // does nothing if it did a moment ago
        fetchedAt = answeredAt;
      } catch (JoseException | IOException e) {
        answeredAt = fetchedAt;
        failedAt = nanos.getAsLong();
        throw e;
      }
    }
  }

  private record WithoutHeaders(int getStatusCode, String getStatusMessage, String getBody)
      implements SimpleResponse {
    @Override
    public Collection<String> getHeaderNames() {
      return List.of();
    }

    @Override
    public List<String> getHeaderValues(String name) {
      return List.of();
    }
  }
}
