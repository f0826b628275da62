package dev.cairn.action.read;

import dev.cairn.access.CurrentCaller;
import dev.cairn.access.RepositoryPath;
import dev.cairn.action.Recovery;
import dev.cairn.action.RunId;
import dev.cairn.model.Problem;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.platform.http.RequestBody;
import dev.cairn.platform.page.BareList;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
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

/** Runs of a repository's subscriptions; the rules are in {@code docs/actions.md}. */
@Path("/api/repos/{org}/{repo}")
@RunOnVirtualThread
@Produces(MediaType.APPLICATION_JSON)
public class ActionResource {
  private final CurrentCaller caller;
  private final ActionAccess access;
  private final ActionReads reads;
  private final Recovery recovery;

  /** The body of a recovery: epoch milliseconds. */
  @RegisterForReflection
  record Since(Long since) {}

  ActionResource(CurrentCaller caller, ActionAccess access, ActionReads reads, Recovery recovery) {
    this.caller = caller;
    this.access = access;
    this.reads = reads;
    this.recovery = recovery;
  }

  /** The runs, newest first. */
  @GET
  @Path("actions/runs")
  public BareList<RunView> runs(@BeanParam RepositoryPath path, @Context UriInfo uri) {
    var access = this.access.toRead(caller.get(), path.org(), path.repo());
    return BareList.of(reads.runs(access, QueryParameters.of(uri, ActionReads.OF_RUNS)));
  }

  /** The attempts at a run. */
  @GET
  @Path("actions/runs/{runId}/attempts")
  public List<AttemptView> attempts(
      @BeanParam RepositoryPath path, @PathParam("runId") String runId, @Context UriInfo uri) {
    var access = this.access.toRead(caller.get(), path.org(), path.repo());
    QueryParameters.none(uri);
    return reads.attempts(access, RunId.of(runId));
  }

  /** The attempts at the run of a subscription and a commit. */
  @GET
  @Path("actions/subs/{subName: \\G.+}/commits/{commitId}/attempts")
  public List<AttemptView> attempts(
      @BeanParam RepositoryPath path,
      @PathParam("subName") String subName,
      @PathParam("commitId") String commitId,
      @Context UriInfo uri) {
    var access = this.access.toRead(caller.get(), path.org(), path.repo());
    QueryParameters.none(uri);
    return reads.attempts(access, subName, commitId);
  }

  /** The notifications, newest first. */
  @GET
  @Path("actions/notifications")
  public BareList<NotificationView> notifications(
      @BeanParam RepositoryPath path, @Context UriInfo uri) {
    var access = this.access.toRead(caller.get(), path.org(), path.repo());
    var parameters = QueryParameters.of(uri, ActionReads.OF_NOTIFICATIONS);
    return BareList.of(reads.notifications(access, parameters));
  }

  /** Gives a failed run another attempt. */
  @POST
  @Path("actions/runs/{runId}/retry")
  public Recovery.Retried retry(
      @BeanParam RepositoryPath path, @PathParam("runId") String runId, @Context UriInfo uri) {
    var access = this.access.toRecover(caller.get(), path.org(), path.repo());
    QueryParameters.none(uri);
    return recovery.retry(access, RunId.of(runId));
  }

  /** Gives all runs of a subscription that failed since a time another attempt. */
  @POST
  @Path("subs/{name: \\G.+}/recover")
  @Consumes(MediaType.APPLICATION_JSON)
  public Recovery.Recovered recover(
      @BeanParam RepositoryPath path,
      @PathParam("name") String name,
      InputStream body,
      @Context UriInfo uri) {
    var access = this.access.toRecover(caller.get(), path.org(), path.repo());
    QueryParameters.none(uri);
    var since = RequestBody.read(body, Since.class).since();
    if (since == null || since < 0 || since > ActionReads.MAX_MILLIS) {
      throw Problem.invalid("/since", "`since` is required: epoch milliseconds.");
    }
    return recovery.recover(access, name, Instant.ofEpochMilli(since));
  }
}
