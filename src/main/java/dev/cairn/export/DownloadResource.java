package dev.cairn.export;

import dev.cairn.access.conditional.EntityTags;
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
    if (EntityTags.ifNoneMatch(request.headers()).include(download.etag())) {
      return tagged(Response.notModified(), download).build();
    }
    boolean isHead = request.method().equals(HttpMethod.HEAD);
    // By RFC 9110, 14.2, ranges apply only to GET.
    boolean isRanged = !isHead && (ifRange == null || ifRange.equals(download.etag()));
    var part = ByteRange.parse(isRanged ? range : null, download.size());
    var sent = part.orElse(new ByteRange(0, download.size() - 1));
    long length = sent.last() - sent.first() + 1;
    Runnable hangUp = () -> StreamedBody.abort(request);
    var bytes =
        StreamedBody.of(request, length, out -> downloads.write(download, sent, hangUp, out));
    var answer =
        tagged(Response.status(part.isPresent() ? 206 : 200), download)
            .type(ExportResource.NDJSON)
            .header("Accept-Ranges", "bytes")
            .header(HttpHeaders.CONTENT_LENGTH, length);
    part.ifPresent(
        p ->
            answer.header(
                "Content-Range", "bytes %d-%d/%d".formatted(p.first(), p.last(), download.size())));
    return (isHead ? answer : answer.entity(bytes)).build();
  }

  private static Response.ResponseBuilder tagged(
      Response.ResponseBuilder answer, Downloads.Download download) {
    return answer
        .header(HttpHeaders.ETAG, download.etag())
        .header(HttpHeaders.CACHE_CONTROL, "private, no-store");
  }
}
