package dev.cairn.oauth;

import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.AuthorizationErrorResponse;
import com.nimbusds.oauth2.sdk.AuthorizationRequest;
import com.nimbusds.oauth2.sdk.AuthorizationSuccessResponse;
import com.nimbusds.oauth2.sdk.ErrorObject;
import com.nimbusds.oauth2.sdk.OAuth2Error;
import com.nimbusds.oauth2.sdk.ResponseMode;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallenge;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** A valid authorization request. */
record AuthorizeRequest(ReplyTo replyTo, GrantScope grantScope, CodeChallenge challenge) {
  /** The only parameter that may be repeated (RFC 8707). */
  private static final String RESOURCE = "resource";

  /** The parameters of this endpoint; all others are ignored. */
  static final Set<String> PARAMETERS =
      Set.of(
          "response_type",
          "response_mode",
          "client_id",
          "redirect_uri",
          "scope",
          "state",
          "code_challenge",
          "code_challenge_method",
          RESOURCE);

  /** Base64url of the 32 bytes of a SHA-256. */
  private static final Pattern CHALLENGE = Pattern.compile("[A-Za-z0-9_-]{43}");

  /**
   * The destination of the answer, success or error: a known client, at one of its redirect URIs.
   * Without both, the browser gets a page and is never redirected.
   */
  record ReplyTo(Client client, URI redirectUri, State state, String issuer) {
    /** The client, and the redirect URI for the answer. */
    static ReplyTo of(Parameters parameters, Client client, String issuer) {
      var redirectUri =
          client
              .redirectUri(parameters.text("redirect_uri"))
              .orElseThrow(
                  () ->
                      OAuthError.invalidRequest(
                          "The redirect_uri is not one that the client has registered."));
      // A state that is given twice cannot be trusted; the error is then sent without one.
      var states = parameters.values().getOrDefault("state", List.of());
      return new ReplyTo(
          client, redirectUri, states.size() == 1 ? new State(states.getFirst()) : null, issuer);
    }

    /** The URL that gives the client its code. */
    URI code(String code) {
      return new AuthorizationSuccessResponse(
              redirectUri,
              new AuthorizationCode(code),
              null,
              state,
              new Issuer(issuer),
              ResponseMode.QUERY)
          .toURI();
    }

    /** The URL that tells the client what is wrong. */
    URI error(ErrorObject error) {
      return new AuthorizationErrorResponse(
              redirectUri, error, state, new Issuer(issuer), ResponseMode.QUERY)
          .toURI();
    }
  }

  /** Reads a request that can be answered at its client, which learns of its errors. */
  static AuthorizeRequest of(ReplyTo replyTo, Parameters parameters) {
    PARAMETERS.stream().filter(name -> !name.equals(RESOURCE)).forEach(parameters::text);
    var known = parameters.only(PARAMETERS).values();
    var request = OAuthError.parse(() -> AuthorizationRequest.parse(known));
    if (!request.getResponseType().equals(ResponseType.CODE)) {
      throw OAuthError.of(OAuth2Error.UNSUPPORTED_RESPONSE_TYPE, "The response_type must be code.");
    }
    if (request.getResponseMode() != null
        && !ResponseMode.QUERY.equals(request.getResponseMode())) {
      throw OAuthError.invalidRequest("The response_mode must be query.");
    }
    if (request.getCodeChallenge() == null
        || !CodeChallengeMethod.S256.equals(request.getCodeChallengeMethod())
        || !CHALLENGE.matcher(request.getCodeChallenge().getValue()).matches()) {
      throw OAuthError.invalidRequest("PKCE with code_challenge_method S256 is required.");
    }
    return new AuthorizeRequest(
        replyTo,
        GrantScope.requested(request.getScope(), request.getResources(), replyTo.issuer()),
        request.getCodeChallenge());
  }

  Client client() {
    return replyTo.client();
  }

  URI redirectUri() {
    return replyTo.redirectUri();
  }
}
