package dev.cairn.component;

import dev.cairn.platform.http.QueryParameters;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Serves the JSON Schema of manifests; see {@code docs/components.md}, Manifest. */
@Path("/component.schema.json")
@RunOnVirtualThread
public class ManifestSchemaResource {
  private static final String FILE = "/META-INF/component.schema.json";

  private final byte[] schema = read();

  private static byte[] read() {
    try (var file = ManifestSchemaResource.class.getResourceAsStream(FILE)) {
      return file.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The schema. */
  @GET
  @Produces("application/schema+json")
  public Response get(@Context UriInfo uri) {
    QueryParameters.none(uri);
    return Response.ok(schema).header(HttpHeaders.CACHE_CONTROL, "public, max-age=3600").build();
  }
}
