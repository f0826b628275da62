package dev.cairn.oauth;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.oauth2.sdk.ErrorObject;
import com.nimbusds.oauth2.sdk.OAuth2Error;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.TokenRevocationRequest;
import com.nimbusds.oauth2.sdk.auth.ClientAuthentication;
import com.nimbusds.oauth2.sdk.client.RegistrationError;
import com.nimbusds.oauth2.sdk.device.DeviceAuthorizationRequest;
import com.nimbusds.oauth2.sdk.device.DeviceAuthorizationSuccessResponse;
import com.nimbusds.oauth2.sdk.device.DeviceCode;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.util.JSONObjectUtils;
import dev.cairn.access.authentication.AccessTokens;
import dev.cairn.access.limit.CredentialLimiter;
import dev.cairn.access.limit.RateLimiter;
import dev.cairn.access.session.RefreshTokens;
import dev.cairn.access.session.Session.Ending;
import dev.cairn.access.session.Sessions;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.http.BaseUrl;
import dev.cairn.platform.http.ClientAddress;
import dev.cairn.platform.http.RequestBody;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import net.minidev.json.JSONObject;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** The endpoints for clients: token, revocation, device authorization and registration. */
@BuiltIn
@Path("/oauth")
@RunOnVirtualThread
@Produces(MediaType.APPLICATION_JSON)
public class OAuthResource {
  /** The maximum length of the used members, in characters. */
  private static final int MAX_METADATA = 8 * 1024;

  private final BaseUrl baseUrl;
  private final ClientAddress addresses;
  private final Clients clients;
  private final TokenService tokens;
  private final RefreshTokens refreshTokens;
  private final AccessTokens accessTokens;
  private final Sessions sessions;
  private final Devices devices;
  private final CredentialLimiter credentialLimiter;
  private final RateLimiter limiter;
  private final int perHour;

  OAuthResource(
      BaseUrl baseUrl,
      ClientAddress addresses,
      Clients clients,
      TokenService tokens,
      RefreshTokens refreshTokens,
      AccessTokens accessTokens,
      Sessions sessions,
      Devices devices,
      CredentialLimiter credentialLimiter,
      RateLimiter limiter,
      CairnConfig config) {
    this.baseUrl = baseUrl;
    this.addresses = addresses;
    this.clients = clients;
    this.tokens = tokens;
    this.refreshTokens = refreshTokens;
    this.accessTokens = accessTokens;
    this.sessions = sessions;
    this.devices = devices;
    this.credentialLimiter = credentialLimiter;
    this.limiter = limiter;
    this.perHour = config.limits().registrationsPerHour();
  }

  /** The token endpoint. */
  @POST
  @Path("token")
  @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
  public Response token(InputStream body, @Context HttpServerRequest request) {
    var base = baseUrl.of(request);
    var parameters = Parameters.ofBody(body);
    if (parameters.text("grant_type").filter(type -> !Registration.allows(type)).isPresent()) {
      throw new OAuthError(OAuth2Error.UNSUPPORTED_GRANT_TYPE);
    }
    var message = parameters.post(base);
    var parsed = OAuthError.parse(() -> TokenRequest.parse(message));
    var client = client(parsed.getClientAuthentication(), parsed.getClientID(), request);
    return json(
        200,
        tokens.exchange(parsed, client, addresses.of(request), base).toJSONObject().toJSONString());
  }

  /**
   * The revocation endpoint (RFC 7009): ends the grant of a refresh token or an access token; an
   * unknown token has no effect.
   */
  @POST
  @Path("revoke")
  @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
  public Response revoke(InputStream body, @Context HttpServerRequest request) {
    var message = Parameters.ofBody(body).post(baseUrl.of(request));
    var parsed = OAuthError.parse(() -> TokenRevocationRequest.parse(message));
    var client = client(parsed.getClientAuthentication(), parsed.getClientID(), request);
    var token = parsed.getToken().getValue();
    var address = addresses.of(request);
    credentialLimiter.ofAddress(
        token,
        address,
        () -> {
          accessTokens
              .session(token, client.id())
              .ifPresentOrElse(
                  session -> sessions.end(session, Ending.REVOKED, address),
                  () -> refreshTokens.end(token, client.id(), Ending.REVOKED, address));
          return true;
        });
    return Response.ok().build();
  }

  /** The device authorization endpoint (RFC 8628). */
  @POST
  @Path("device_authorization")
  @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
  public Response device(InputStream body, @Context HttpServerRequest request) {
    limit("device authorizations", request);
    var base = baseUrl.of(request);
    var parameters = Parameters.ofBody(body);
    var message = parameters.post(base);
    var parsed = OAuthError.parse(() -> DeviceAuthorizationRequest.parse(message));
    var client = client(parsed.getClientAuthentication(), parsed.getClientID(), request);
    var grantScope = GrantScope.requested(parsed.getScope(), resources(parameters), base);
    var started = devices.start(client.id(), grantScope, addresses.of(request), Instant.now());
    var page = base + DeviceResource.PATH;
    var answer =
        new DeviceAuthorizationSuccessResponse(
            new DeviceCode(started.deviceCode()),
            new com.nimbusds.oauth2.sdk.device.UserCode(started.userCode().shown()),
            URI.create(page),
            URI.create(page + "?user_code=" + started.userCode().shown()),
            Devices.LIFETIME.toSeconds(),
            Devices.INTERVAL_SECONDS,
            null);
    return json(200, answer.toJSONObject().toJSONString());
  }

  /** The registration endpoint (RFC 7591). */
  @POST
  @Path("register")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response register(InputStream body, @Context HttpServerRequest request) {
    limit("client registrations", request);
    var wanted = Registration.read(metadata(body));
    var now = Instant.now();
    var client = clients.register(wanted.name(), wanted.redirectUris(), addresses.of(request), now);
    var answer = wanted.metadata().toJSONObject();
    answer.put("client_id", client.id());
    answer.put("client_id_issued_at", now.getEpochSecond());
    return json(201, answer.toJSONString());
  }

  /** The answer to a violated rule of OAuth. */
  @ServerExceptionMapper
  public Response refused(OAuthError e) {
    return json(e.error().getHTTPStatusCode(), e.error().toJSONObject().toJSONString());
  }

  /** The answer to a violated rule of the service, in the form of OAuth. */
  @ServerExceptionMapper
  public Response refused(Problem problem) {
    var code =
        problem.code() == ErrorCode.RATE_LIMITED || problem.code() == ErrorCode.UNAVAILABLE
            ? OAuth2Error.TEMPORARILY_UNAVAILABLE_CODE
            : OAuth2Error.INVALID_REQUEST_CODE;
    int status = problem.code().status();
    var answer =
        json(
            status,
            new ErrorObject(code, ErrorObject.removeIllegalChars(problem.detail()))
                .toJSONObject()
                .toJSONString());
    return Pages.retryAfter(answer, problem);
  }

  private Client client(
      ClientAuthentication authentication, ClientID id, HttpServerRequest request) {
    if (authentication != null || id == null) {
      throw OAuthError.of(
          OAuth2Error.INVALID_CLIENT,
          "Clients here have no secret: send the client_id alone, as a parameter.");
    }
    return clients.get(id.getValue(), addresses.of(request));
  }

  private void limit(String policy, HttpServerRequest request) {
    limiter.takeByAddress(policy, addresses.of(request), perHour, Duration.ofHours(1));
  }

  private static List<URI> resources(Parameters parameters) {
    try {
      return parameters.values().getOrDefault("resource", List.of()).stream()
          .map(URI::create)
          .toList();
    } catch (IllegalArgumentException e) {
      throw OAuthError.of(OAuth2Error.INVALID_TARGET, "The resource is not a URI.");
    }
  }

  /**
   * The used members of a body. It is read like other bodies, so that its size in the heap is known
   * before, and the library gets only these members.
   */
  private static JSONObject metadata(InputStream body) {
    try {
      var used = object(body).retain(Registration.KNOWN).toString();
      if (used.length() > MAX_METADATA) {
        throw OAuthError.of(
            RegistrationError.INVALID_CLIENT_METADATA, "The client metadata are too long.");
      }
      return JSONObjectUtils.parse(used);
    } catch (ParseException e) {
      throw noObject();
    }
  }

  private static ObjectNode object(InputStream body) {
    try {
      return (ObjectNode) RequestBody.object(body);
    } catch (Problem e) {
      throw e.code() == ErrorCode.VALIDATION_ERROR ? noObject() : e;
    }
  }

  private static OAuthError noObject() {
    return OAuthError.of(
        RegistrationError.INVALID_CLIENT_METADATA, "The body must be a JSON object.");
  }

  private static Response json(int status, String body) {
    return Response.status(status).type(MediaType.APPLICATION_JSON_TYPE).entity(body).build();
  }
}
