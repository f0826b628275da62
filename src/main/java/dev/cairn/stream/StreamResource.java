package dev.cairn.stream;

import static dev.cairn.access.Permission.REPO_WRITE;

import dev.cairn.access.Authorizer;
import dev.cairn.access.CurrentCaller;
import dev.cairn.access.RepositoryPath;
import dev.cairn.access.conditional.IdempotencyKeys;
import dev.cairn.platform.http.AcceptedCoding;
import dev.cairn.platform.memory.StreamedBody;
import dev.cairn.tenant.StreamSetting;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.InputStream;
import java.util.function.UnaryOperator;

/** Streaming submissions; the rules are in {@code docs/streams.md}. */
@Path("/api/repos/{org}/{repo}")
@RunOnVirtualThread
@Produces(StreamResource.NDJSON)
public class StreamResource {
  static final String NDJSON = "application/x-ndjson";

  private final CurrentCaller caller;
  private final Authorizer authorizer;
  private final StreamSetting setting;
  private final SubmissionRuns submissions;

  StreamResource(
      CurrentCaller caller,
      Authorizer authorizer,
      StreamSetting setting,
      SubmissionRuns submissions) {
    this.caller = caller;
    this.authorizer = authorizer;
    this.setting = setting;
    this.submissions = submissions;
  }

  /** Applies the operations of a stream while they arrive. */
  @POST
  @Path("streams/{streamId}/submissions")
  @Consumes(NDJSON)
  public Response submit(
      @BeanParam RepositoryPath path,
      @PathParam("streamId") String streamId,
      InputStream body,
      @Context HttpServerRequest request,
      @Context UriInfo uri) {
    var access = authorizer.repository(caller.get(), path.org(), path.repo(), REPO_WRITE);
    if (!setting.isOn(access.repoId())) {
      // It was switched off after StreamRoute has looked.
      throw new NotFoundException();
    }
    var key = IdempotencyKeys.of(request.headers().getAll(IdempotencyKeys.HEADER));
    var submission = SubmissionRequest.of(access, streamId, key, uri);
    UnaryOperator<StreamedBody.Writer> coding =
        AcceptedCoding.of(request).compresses(AcceptedCoding.STREAM)
            ? StreamedBody.gzip(request)
            : UnaryOperator.identity();
    var lines =
        StreamedBody.of(request, coding.apply(out -> submissions.run(submission, body, out)));
    return Response.ok(lines, NDJSON).build();
  }
}
