package dev.cairn.export;

import dev.cairn.access.Authorizer;
import dev.cairn.access.CurrentCaller;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.RepositoryPath;
import dev.cairn.access.conditional.ConditionalReads;
import dev.cairn.content.At;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.http.AcceptedCoding;
import dev.cairn.platform.http.BaseUrl;
import dev.cairn.platform.http.Gzip;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.platform.memory.StreamedBody;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Exports in their three modes; the rules are in {@code docs/export.md}. */
@Path("/api/repos/{org}/{repo}")
@RunOnVirtualThread
@Produces({ExportResource.NDJSON, MediaType.APPLICATION_JSON})
public class ExportResource {
  static final String NDJSON = "application/x-ndjson";

  private static final String SEQ_HEADER = "X-Cairn-Repo-Seq";
  private static final Set<String> PARAMETERS = Set.of("prefer", "token", "at");

  private final CurrentCaller caller;
  private final Authorizer authorizer;
  private final ExportStreams streams;
  private final ExportJobs jobs;
  private final ConditionalReads conditional;
  private final BaseUrl baseUrl;

  ExportResource(
      CurrentCaller caller,
      Authorizer authorizer,
      ConditionalReads conditional,
      ExportStreams streams,
      ExportJobs jobs,
      BaseUrl baseUrl) {
    this.caller = caller;
    this.authorizer = authorizer;
    this.conditional = conditional;
    this.streams = streams;
    this.jobs = jobs;
    this.baseUrl = baseUrl;
  }

  /** Streams an export, requests one, or returns its progress. */
  @GET
  @Path("export")
  public Response export(
      @BeanParam RepositoryPath path, @Context UriInfo uri, @Context HttpServerRequest request) {
    var access = authorizer.export(caller.get(), path.org(), path.repo());
    var parameters = QueryParameters.of(uri, PARAMETERS);
    var at = parameters.text("at").map(text -> At.parse("?at", text));
    var token = parameters.text("token");
    boolean isAsync = isAsync(parameters);
    boolean isHead = request.method().equals(HttpMethod.HEAD);
    if (token.isPresent()) {
      refuseWithToken(parameters, "prefer");
      refuseWithToken(parameters, "at");
      return progress(access, token.get(), request);
    }
    if (isAsync && isHead) {
      throw Problem.of(ErrorCode.METHOD_NOT_ALLOWED, "`prefer=async` requires GET.");
    }
    if (isAsync) {
      return json(202, jobs.requestExport(access, at));
    }
    var known = conditional.unchanged(access);
    if (known.isPresent()) {
      // `*` is no reason for 304 where there is no such moment.
      at.ifPresent(_ -> streams.describe(access, at, (_, _) -> {}));
      return known.get();
    }
    var begin = headers(access, request);
    boolean isCompressed = AcceptedCoding.of(request).compresses(AcceptedCoding.STREAM);
    if (isHead) {
      streams.describe(access, at, begin);
      var answer = Response.ok().type(NDJSON);
      return (isCompressed ? answer.header(HttpHeaders.CONTENT_ENCODING, Gzip.NAME) : answer)
          .build();
    }
    Runnable hangUp = () -> StreamedBody.abort(request);
    UnaryOperator<StreamedBody.Writer> coding =
        isCompressed ? StreamedBody.gzip(request) : UnaryOperator.identity();
    var lines =
        StreamedBody.of(request, out -> streams.write(access, at, begin, hangUp, coding, out));
    return Response.ok(lines, NDJSON).build();
  }

  private static boolean isAsync(QueryParameters parameters) {
    var prefer = parameters.text("prefer");
    if (prefer.isPresent() && !prefer.get().equals("async")) {
      throw Problem.invalid("?prefer", "`prefer` can only be `async`.");
    }
    return prefer.isPresent();
  }

  private static void refuseWithToken(QueryParameters parameters, String name) {
    if (parameters.text(name).isPresent()) {
      throw Problem.invalid("?" + name, "`" + name + "` cannot be combined with `token`.");
    }
  }

  private Response progress(RepositoryAccess access, String token, HttpServerRequest request) {
    return switch (jobs.progress(access, token, baseUrl.ofLinks(request))) {
      case ExportJobs.Pending pending -> json(202, pending);
      case ExportJobs.Complete complete -> json(200, complete);
    };
  }

  private static Response json(int status, Object entity) {
    return Response.status(status)
        .type(MediaType.APPLICATION_JSON)
        .header(HttpHeaders.CACHE_CONTROL, "no-store")
        .entity(entity)
        .build();
  }

  private ExportStreams.Begin headers(RepositoryAccess access, HttpServerRequest request) {
    var headers = conditional.headers(access);
    return (seq, newest) -> {
      request.response().putHeader(SEQ_HEADER, Long.toString(seq));
      headers.apply(newest).forEach(request.response()::putHeader);
    };
  }
}
