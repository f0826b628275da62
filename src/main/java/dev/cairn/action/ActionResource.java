package dev.cairn.action;

import static dev.cairn.access.Permission.REPO_CONFIGURE;
import static dev.cairn.access.Permission.REPO_READ;
import static dev.cairn.platform.Page.CURSOR;
import static dev.cairn.platform.Page.LIMIT;

import dev.cairn.access.Authorizer;
import dev.cairn.access.CurrentCaller;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.model.Problem;
import dev.cairn.platform.BareList;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.QueryParameters;
import dev.cairn.platform.RequestBody;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Runs of a repository's subscriptions; the rules are in {@code docs/actions.md}. */
@Path("/api/repos/{org}/{repo}")
@RunOnVirtualThread
@Produces(MediaType.APPLICATION_JSON)
public class ActionResource {
  private static final String STATUS = "status";
  private static final String SINCE = "since";
  private static final Set<String> RUNS = Set.of(STATUS, SINCE, LIMIT, CURSOR);
  private static final Set<String> NOTIFICATIONS = Set.of(SINCE, LIMIT, CURSOR);

  /** As late as {@link QueryParameters#time} takes it. */
  private static final long LATEST = 99_999_999_999_999L;

  private final CurrentCaller caller;
  private final Authorizer authorizer;
  private final ActionReads reads;
  private final Recovery recovery;
  private final boolean publicReads;

  /** Body that says since when. */
  @RegisterForReflection
  record Since(Long since) {}

  ActionResource(
      CurrentCaller caller,
      Authorizer authorizer,
      ActionReads reads,
      Recovery recovery,
      CairnConfig config) {
    this.caller = caller;
    this.authorizer = authorizer;
    this.reads = reads;
    this.recovery = recovery;
    this.publicReads = config.actions().publicReads();
  }

  /** The runs, newest first. */
  @GET
  @Path("actions/runs")
  public BareList<RunView> runs(
      @PathParam("org") String org, @PathParam("repo") String repo, @Context UriInfo uri) {
    var access = readable(org, repo);
    var parameters = QueryParameters.of(uri, RUNS);
    var status = parameters.text(STATUS).map(ActionResource::status);
    return BareList.of(
        reads.runs(access, status, since(parameters), limit(parameters), parameters.text(CURSOR)));
  }

  /** The attempts at a run. */
  @GET
  @Path("actions/runs/{runId}/attempts")
  public List<AttemptView> attempts(
      @PathParam("org") String org,
      @PathParam("repo") String repo,
      @PathParam("runId") String runId,
      @Context UriInfo uri) {
    var access = readable(org, repo);
    QueryParameters.none(uri);
    return reads.attempts(access, runId(runId));
  }

  /** The attempts at the run of a subscription and a commit. */
  @GET
  @Path("actions/subs/{subName: .+}/commits/{commitId}/attempts")
  public List<AttemptView> attempts(
      @PathParam("org") String org,
      @PathParam("repo") String repo,
      @PathParam("subName") String subName,
      @PathParam("commitId") String commitId,
      @Context UriInfo uri) {
    var access = readable(org, repo);
    QueryParameters.none(uri);
    return reads.attempts(access, subName, commitId);
  }

  /** The notifications, newest first. */
  @GET
  @Path("actions/notifications")
  public BareList<NotificationView> notifications(
      @PathParam("org") String org, @PathParam("repo") String repo, @Context UriInfo uri) {
    var access = readable(org, repo);
    var parameters = QueryParameters.of(uri, NOTIFICATIONS);
    return BareList.of(
        reads.notifications(access, since(parameters), limit(parameters), parameters.text(CURSOR)));
  }

  /** Gives a failed run another attempt. */
  @POST
  @Path("actions/runs/{runId}/retry")
  public Recovery.Retried retry(
      @PathParam("org") String org,
      @PathParam("repo") String repo,
      @PathParam("runId") String runId,
      @Context UriInfo uri) {
    var access = configurable(org, repo);
    QueryParameters.none(uri);
    return recovery.retry(access, runId(runId));
  }

  /** Gives all runs of a subscription that failed since a time another attempt. */
  @POST
  @Path("subs/{name: .+}/recover")
  @Consumes(MediaType.APPLICATION_JSON)
  public Recovery.Recovered recover(
      @PathParam("org") String org,
      @PathParam("repo") String repo,
      @PathParam("name") String name,
      InputStream body,
      @Context UriInfo uri) {
    var access = configurable(org, repo);
    QueryParameters.none(uri);
    var since = RequestBody.read(body, Since.class).since();
    if (since == null || since < 0 || since > LATEST) {
      throw Problem.invalid("/since", "`since` is needed: epoch milliseconds.");
    }
    return recovery.recover(access, name, Instant.ofEpochMilli(since));
  }

  private RepositoryAccess readable(String org, String repo) {
    var access =
        publicReads
            ? authorizer.repository(caller.get(), org, repo, REPO_READ, REPO_CONFIGURE)
            : authorizer.repository(caller.get(), org, repo, REPO_CONFIGURE);
    return access.unnarrowed();
  }

  private RepositoryAccess configurable(String org, String repo) {
    return authorizer.repository(caller.get(), org, repo, REPO_CONFIGURE).unnarrowed();
  }

  private static RunStatus status(String word) {
    return RunStatus.of(word)
        .orElseThrow(
            () ->
                Problem.invalid(
                    STATUS, "`status` is one of " + String.join(", ", RunStatus.words()) + "."));
  }

  private static Optional<Instant> since(QueryParameters parameters) {
    return parameters.time(SINCE);
  }

  private static int limit(QueryParameters parameters) {
    return parameters.integer(LIMIT, 1, ActionReads.MOST).orElse(ActionReads.DEFAULT);
  }

  /** A run's id as a path names it. */
  static UUID runId(String text) {
    try {
      var id = UUID.fromString(text);
      if (id.toString().equals(text)) {
        return id;
      }
    } catch (IllegalArgumentException e) {
      // the same answer as for another spelling
    }
    throw Problem.invalid("runId", "A run's id is a UUID in lower case.");
  }
}
