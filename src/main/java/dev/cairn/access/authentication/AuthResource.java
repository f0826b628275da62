package dev.cairn.access.authentication;

import dev.cairn.access.CurrentCaller;
import dev.cairn.platform.Base64Url;
import dev.cairn.platform.http.BaseUrl;
import dev.cairn.platform.http.ClientAddress;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.platform.http.RequestBody;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.InputStream;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Map;

/** Sign-in for scripts, and the key set that verifies access tokens. */
@Path("/")
@RunOnVirtualThread
@Produces(MediaType.APPLICATION_JSON)
public class AuthResource {
  private static final int COORDINATE_BYTES = 32;

  private final SignIn signIn;
  private final PasswordChange passwords;
  private final CurrentCaller caller;
  private final SigningKeys keys;
  private final BaseUrl baseUrl;
  private final ClientAddress addresses;
  private final ExternalIssuer issuer;

  /** Body of the sign-in. */
  @RegisterForReflection
  record Credentials(String email, String password) {}

  /** Body of the refresh, and of the end of a sign-in. */
  @RegisterForReflection
  record Refresh(String refreshToken) {}

  /** Body of the change of a password. */
  @RegisterForReflection
  record NewPassword(String currentPassword, String newPassword) {}

  AuthResource(
      SignIn signIn,
      PasswordChange passwords,
      CurrentCaller caller,
      SigningKeys keys,
      BaseUrl baseUrl,
      ClientAddress addresses,
      ExternalIssuer issuer) {
    this.signIn = signIn;
    this.passwords = passwords;
    this.caller = caller;
    this.keys = keys;
    this.baseUrl = baseUrl;
    this.addresses = addresses;
    this.issuer = issuer;
  }

  /** Issues tokens for an e-mail address and a password. */
  @POST
  @Path("api/auth/login")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response login(
      InputStream body, @Context UriInfo uri, @Context HttpServerRequest request) {
    issuer.refuseBuiltIn();
    QueryParameters.none(uri);
    var credentials = RequestBody.read(body, Credentials.class);
    var tokens =
        signIn.byPassword(
            RequestBody.required("/email", credentials.email()),
            RequestBody.required("/password", credentials.password()),
            addresses.of(request),
            baseUrl.of(request));
    return secret(tokens);
  }

  /** Issues new tokens for a refresh token, which can be used only once. */
  @POST
  @Path("api/auth/refresh")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response refresh(
      InputStream body, @Context UriInfo uri, @Context HttpServerRequest request) {
    issuer.refuseBuiltIn();
    QueryParameters.none(uri);
    var refresh = RequestBody.read(body, Refresh.class);
    return secret(
        signIn.byRefreshToken(
            RequestBody.required("/refreshToken", refresh.refreshToken()),
            addresses.of(request),
            baseUrl.of(request)));
  }

  /** Ends the session of a refresh token; an unknown token has no effect. */
  @POST
  @Path("api/auth/logout")
  @Consumes(MediaType.APPLICATION_JSON)
  public Map<String, Boolean> logout(
      InputStream body, @Context UriInfo uri, @Context HttpServerRequest request) {
    issuer.refuseBuiltIn();
    QueryParameters.none(uri);
    var ended = RequestBody.read(body, Refresh.class);
    signIn.end(RequestBody.required("/refreshToken", ended.refreshToken()), addresses.of(request));
    return Map.of("ok", true);
  }

  /** Changes the caller's password, which ends its other sessions. */
  @POST
  @Path("api/auth/password")
  @Consumes(MediaType.APPLICATION_JSON)
  public Map<String, Boolean> changePassword(InputStream body, @Context UriInfo uri) {
    issuer.refuseBuiltIn();
    var account = caller.session();
    QueryParameters.none(uri);
    var change = RequestBody.read(body, NewPassword.class);
    passwords.change(
        account,
        RequestBody.required("/currentPassword", change.currentPassword()),
        RequestBody.required("/newPassword", change.newPassword()));
    return Map.of("ok", true);
  }

  /** The public keys of access tokens, as an RFC 7517 key set. */
  @GET
  @Path(".well-known/jwks.json")
  public Response keySet() {
    issuer.refuseBuiltIn();
    return Response.ok(Map.of("keys", keys.published().stream().map(AuthResource::jwk).toList()))
        .header("Cache-Control", "public, max-age=" + SigningKeys.KEY_SET_MAX_AGE.toSeconds())
        .build();
  }

  private static Map<String, String> jwk(SigningKey key) {
    var point = key.publicKey().getW();
    return Map.of(
        "kty", "EC",
        "crv", "P-256",
        "alg", "ES256",
        "use", "sig",
        "kid", key.id(),
        "x", coordinate(point.getAffineX()),
        "y", coordinate(point.getAffineY()));
  }

  private static String coordinate(BigInteger value) {
    var bytes = value.toByteArray();
    var fixed = new byte[COORDINATE_BYTES];
    var kept =
        Arrays.copyOfRange(bytes, Math.max(0, bytes.length - COORDINATE_BYTES), bytes.length);
    System.arraycopy(kept, 0, fixed, COORDINATE_BYTES - kept.length, kept.length);
    return Base64Url.encode(fixed);
  }

  private static Response secret(SignIn.Tokens tokens) {
    return Response.ok(tokens).header("Cache-Control", "no-store").build();
  }
}
