package dev.cairn.export;

import dev.cairn.access.conditional.EntityTags;
import dev.cairn.platform.http.AcceptedCoding;
import dev.cairn.platform.http.Gzip;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.platform.memory.StreamedBody;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Downloads of built exports; the rules are in {@code docs/export.md}, The download. */
@Path("/api/exports/{exportId}")
@RunOnVirtualThread
@Produces(ExportResource.NDJSON)
public class DownloadResource {
  private static final Set<String> LINK = Set.of("expires", "holder", "signature");

  private final Downloads downloads;

  DownloadResource(Downloads downloads) {
    this.downloads = downloads;
  }

  /** The content of a built export, for a caller that has a link to it. */
  @GET
  @Path("content")
  public Response content(
      @PathParam("exportId") String exportId,
      @HeaderParam("Range") String range,
      @HeaderParam("If-Range") String ifRange,
      @Context UriInfo uri,
      @Context HttpServerRequest request) {
    var parameters = QueryParameters.of(uri, LINK);
    var download =
        downloads.open(
            exportId,
            parameters.text("expires").orElse(""),
            parameters.text("holder").orElse(""),
            parameters.text("signature").orElse(""));
    var known = EntityTags.ifNoneMatch(request).held(download.etag(), download.size());
    if (known.isPresent()) {
      return tagged(Response.notModified(), known.get()).build();
    }
    boolean isHead = request.method().equals(HttpMethod.HEAD);
    // By RFC 9110, 14.2, ranges apply only to GET.
    boolean isRanged = !isHead && (ifRange == null || ifRange.equals(download.etag()));
    var part = ByteRange.parse(isRanged ? range : null, download.size());
    var sent = part.orElse(new ByteRange(0, download.size() - 1));
    Runnable hangUp = () -> StreamedBody.abort(request);
    var answer =
        tagged(Response.status(part.isPresent() ? 206 : 200), download.etag())
            .type(ExportResource.NDJSON);
    // A range is one of the content as it is, so only that can be resumed.
    if (part.isEmpty() && AcceptedCoding.of(request).compresses(download.size())) {
      return isHead
          ? answer.header(HttpHeaders.CONTENT_ENCODING, Gzip.NAME).build()
          : answer
              .entity(
                  StreamedBody.of(
                      request,
                      out ->
                          downloads.write(download, sent, hangUp, StreamedBody.gzip(request), out)))
              .build();
    }
    long length = sent.last() - sent.first() + 1;
    answer.header("Accept-Ranges", "bytes").header(HttpHeaders.CONTENT_LENGTH, length);
    part.ifPresent(
        p ->
            answer.header(
                "Content-Range", "bytes %d-%d/%d".formatted(p.first(), p.last(), download.size())));
    StreamedBody.Writer writer =
        out -> downloads.write(download, sent, hangUp, UnaryOperator.identity(), out);
    return (isHead ? answer : answer.entity(StreamedBody.of(request, length, writer))).build();
  }

  private static Response.ResponseBuilder tagged(Response.ResponseBuilder answer, String tag) {
    return answer
        .header(HttpHeaders.ETAG, tag)
        .header(HttpHeaders.CACHE_CONTROL, "private, no-store");
  }
}
