package dev.cairn.oauth;

import com.nimbusds.oauth2.sdk.GrantType;
import com.nimbusds.oauth2.sdk.ResponseMode;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.as.AuthorizationServerMetadata;
import com.nimbusds.oauth2.sdk.auth.ClientAuthenticationMethod;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import dev.cairn.access.authentication.ExternalIssuer;
import dev.cairn.platform.http.BaseUrl;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.util.List;
import java.util.Map;
import net.minidev.json.JSONObject;

/** The metadata by which clients discover the endpoints (RFC 8414, RFC 9728). */
@Path("/")
@Produces(MediaType.APPLICATION_JSON)
public class MetadataResource {
  private static final String SERVER = "/.well-known/oauth-authorization-server";

  private final BaseUrl baseUrl;
  private final ExternalIssuer external;

  MetadataResource(BaseUrl baseUrl, ExternalIssuer external) {
    this.baseUrl = baseUrl;
    this.external = external;
  }

  /** The metadata of the authorization server; with an external issuer, a redirect to its own. */
  @GET
  @Path(SERVER)
  public Response server(@Context HttpServerRequest request) {
    return external
        .url()
        .map(
            issuer ->
                Response.temporaryRedirect(wellKnown(issuer))
                    .header(HttpHeaders.CACHE_CONTROL, "no-store")
                    .build())
        .orElseGet(() -> json(server(baseUrl.of(request))));
  }

  /** The metadata of the service as a protected resource. */
  @GET
  @Path(".well-known/oauth-protected-resource")
  public Response root(@Context HttpServerRequest request) {
    var base = baseUrl.of(request);
    return resource(base, base);
  }

  /** The metadata of the MCP endpoint, at the path that RFC 9728 defines. */
  @GET
  @Path(".well-known/oauth-protected-resource/mcp")
  public Response mcp(@Context HttpServerRequest request) {
    var base = baseUrl.of(request);
    return resource(GrantScope.mcp(base), base);
  }

  /** The same, for clients that look below the resource. */
  @GET
  @Path("mcp/.well-known/oauth-protected-resource")
  public Response beneathMcp(@Context HttpServerRequest request) {
    return mcp(request);
  }

  private JSONObject server(String base) {
    var metadata = new AuthorizationServerMetadata(new Issuer(base));
    metadata.setAuthorizationEndpointURI(URI.create(base + AuthorizeResource.PATH));
    metadata.setTokenEndpointURI(URI.create(base + "/oauth/token"));
    metadata.setRegistrationEndpointURI(URI.create(base + "/oauth/register"));
    metadata.setRevocationEndpointURI(URI.create(base + "/oauth/revoke"));
    metadata.setDeviceAuthorizationEndpointURI(URI.create(base + "/oauth/device_authorization"));
    metadata.setJWKSetURI(URI.create(base + "/.well-known/jwks.json"));
    metadata.setScopes(GrantScope.scopes());
    metadata.setResponseTypes(List.of(ResponseType.CODE));
    metadata.setResponseModes(List.of(ResponseMode.QUERY));
    metadata.setGrantTypes(
        List.of(GrantType.AUTHORIZATION_CODE, GrantType.REFRESH_TOKEN, GrantType.DEVICE_CODE));
    metadata.setCodeChallengeMethods(List.of(CodeChallengeMethod.S256));
    metadata.setTokenEndpointAuthMethods(List.of(ClientAuthenticationMethod.NONE));
    metadata.setRevocationEndpointAuthMethods(List.of(ClientAuthenticationMethod.NONE));
    metadata.setSupportsAuthorizationResponseIssuerParam(true);
    var json = metadata.toJSONObject();
    json.put("client_id_metadata_document_supported", true);
    return json;
  }

  private Response resource(String resource, String base) {
    return json(
        new JSONObject(
            Map.of(
                "resource",
                resource,
                "resource_name",
                "Cairn",
                "authorization_servers",
                List.of(external.url().orElse(base)),
                "bearer_methods_supported",
                List.of("header"),
                "scopes_supported",
                GrantScope.scopes().toStringList())));
  }

  /** RFC 8414 puts the name between the issuer's host and its path. */
  private static URI wellKnown(String issuer) {
    var url = URI.create(issuer);
    var path = url.getRawPath().endsWith("/") ? "" : url.getRawPath();
    return URI.create(url.getScheme() + "://" + url.getRawAuthority() + SERVER + path);
  }

  private static Response json(JSONObject body) {
    return Response.ok(body.toJSONString()).header(HttpHeaders.CACHE_CONTROL, "no-store").build();
  }
}
