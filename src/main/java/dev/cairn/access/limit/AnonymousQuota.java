package dev.cairn.access.limit;

import dev.cairn.access.Caller;
import dev.cairn.access.CurrentCaller;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.UriInfo;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/**
 * Limits the reads of repositories without credentials for each network address, if the operator
 * has configured it. Each request counts, whatever its result: otherwise the limit would reveal
 * what exists.
 */
@ApplicationScoped
public class AnonymousQuota {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final String REPOSITORIES = "/api/repos/";
  private static final Pattern PAGE_OF_REPOSITORY =
      Pattern.compile("/[^/]+/[^/]+/(?:readme\\.md|agents\\.md|llms\\.txt)");

  private final CurrentCaller caller;
  private final RateLimiter limiter;
  private final int perHour;

  AnonymousQuota(CurrentCaller caller, RateLimiter limiter, CairnConfig config) {
    this.caller = caller;
    this.limiter = limiter;
    this.perHour = config.limits().anonymousReadsPerHour();
  }

  @ServerRequestFilter
  void count(UriInfo uri) {
    var path = uri.getPath();
    if (path.startsWith(REPOSITORIES) || PAGE_OF_REPOSITORY.matcher(path).matches()) {
      count(caller.get(), 1);
    }
  }

  /**
   * Counts reads of the content of repositories, unless an account makes them.
   *
   * @param reads how many, at least 1; all of them count, or none if there are too many
   * @throws Problem {@code RATE_LIMITED}
   */
  public void count(Caller reader, int reads) {
    if (perHour > 0 && reader instanceof Caller.Anonymous anonymous) {
      limiter.takeByAddress("anonymous-reads", anonymous.address(), reads, perHour, HOUR);
    }
  }
}
