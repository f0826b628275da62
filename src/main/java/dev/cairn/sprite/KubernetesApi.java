package dev.cairn.sprite;

import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.io.InputStream;
import java.util.Map;
import org.eclipse.microprofile.rest.client.inject.RegisterRestClient;
import org.jboss.resteasy.reactive.RestResponse;

/**
 * The part of the Kubernetes API that is used; {@code docs/sprites.md} has the role that allows it.
 * The answers are JSON, except for the log; {@link Calls} reads them.
 */
@RegisterRestClient(configKey = "kubernetes")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
interface KubernetesApi {
  @POST
  @Path("/apis/batch/v1/namespaces/{namespace}/jobs")
  Uni<RestResponse<InputStream>> makeJob(
      @HeaderParam("Authorization") String authorization,
      @PathParam("namespace") String namespace,
      Map<String, Object> job);

  @POST
  @Path("/api/v1/namespaces/{namespace}/secrets")
  Uni<RestResponse<InputStream>> makeSecret(
      @HeaderParam("Authorization") String authorization,
      @PathParam("namespace") String namespace,
      Map<String, Object> secret);

  @GET
  @Path("/api/v1/namespaces/{namespace}/pods")
  Uni<RestResponse<InputStream>> pods(
      @HeaderParam("Authorization") String authorization,
      @PathParam("namespace") String namespace,
      @QueryParam("labelSelector") String labels);

  /** The last lines of a container, at most the requested number of bytes. */
  @GET
  @Path("/api/v1/namespaces/{namespace}/pods/{pod}/log")
  @Produces(MediaType.WILDCARD)
  Uni<RestResponse<InputStream>> log(
      @HeaderParam("Authorization") String authorization,
      @PathParam("namespace") String namespace,
      @PathParam("pod") String pod,
      @QueryParam("container") String container,
      @QueryParam("tailLines") int lines,
      @QueryParam("limitBytes") int bytes);

  @DELETE
  @Path("/apis/batch/v1/namespaces/{namespace}/jobs/{job}")
  Uni<RestResponse<InputStream>> deleteJob(
      @HeaderParam("Authorization") String authorization,
      @PathParam("namespace") String namespace,
      @PathParam("job") String job,
      @QueryParam("propagationPolicy") String propagation);
}
