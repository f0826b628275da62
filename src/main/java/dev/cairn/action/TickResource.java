package dev.cairn.action;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.http.QueryParameters;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Work on request; the rules are in {@code docs/actions.md}, Scale to zero. */
@Path("/internal")
@RunOnVirtualThread
@Produces(MediaType.APPLICATION_JSON)
public class TickResource {
  private static final String SECONDS = "seconds";
  private static final int MAX_SECONDS = 300;
  private static final int DEFAULT_SECONDS = 20;
  private static final String SCHEME = "bearer ";

  private final Drain drain;
  private final Optional<String> token;

  TickResource(Drain drain, CairnConfig config) {
    this.drain = drain;
    this.token = config.tick().token();
  }

  /** Carries out the work that is due. */
  @POST
  @Path("tick")
  public Drain.Done tick(
      @HeaderParam(HttpHeaders.AUTHORIZATION) String authorization, @Context UriInfo uri)
      throws InterruptedException {
    if (!isToken(authorization, token.orElseThrow(NotFoundException::new))) {
      throw Problem.of(ErrorCode.UNAUTHENTICATED, "This needs the operator's token.");
    }
    var parameters = QueryParameters.of(uri, Set.of(SECONDS));
    int seconds = parameters.integer(SECONDS, 1, MAX_SECONDS).orElse(DEFAULT_SECONDS);
    return drain.run(Duration.ofSeconds(seconds));
  }

  /** Takes the same time for any wrong token of the same length. */
  private static boolean isToken(String authorization, String expected) {
    if (authorization == null
        || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return false;
    }
    var given = authorization.substring(SCHEME.length()).strip();
    return MessageDigest.isEqual(
        given.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8));
  }
}
