package dev.cairn.oauth;

import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.github.scribejava.core.builder.ServiceBuilder;
import com.github.scribejava.core.builder.api.DefaultApi20;
import com.github.scribejava.core.model.OAuth2AccessTokenErrorResponse;
import com.github.scribejava.core.oauth.AccessTokenRequestParams;
import com.github.scribejava.core.oauth.OAuth20Service;
import com.github.scribejava.core.oauth2.clientauthentication.ClientAuthentication;
import com.github.scribejava.core.oauth2.clientauthentication.RequestBodyAuthenticationScheme;
import dev.cairn.Api;
import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** OAuth: both flows, driven by a client library that is not ours. */
@HttpTest
@QuarkusTest
class ForeignLibraryTest {
  private static final String CALLBACK = "https://client.example/callback";

  /** Knows nothing but what the metadata say. */
  private static final class Discovered extends DefaultApi20 {
    private final JsonPath metadata;

    Discovered(JsonPath metadata) {
      this.metadata = metadata;
    }

    @Override
    public String getAccessTokenEndpoint() {
      return metadata.getString("token_endpoint");
    }

    @Override
    protected String getAuthorizationBaseUrl() {
      return metadata.getString("authorization_endpoint");
    }

    @Override
    public String getRevokeTokenEndpoint() {
      return metadata.getString("revocation_endpoint");
    }

    @Override
    public String getDeviceAuthorizationEndpoint() {
      return metadata.getString("device_authorization_endpoint");
    }

    @Override
    public ClientAuthentication getClientAuthentication() {
      return RequestBodyAuthenticationScheme.instance();
    }
  }

  private static OAuth20Service service(String clientId, String scope) {
    var metadata = Api.anonymous().get("/.well-known/oauth-authorization-server").jsonPath();
    return new ServiceBuilder(clientId)
        .callback(CALLBACK)
        .defaultScope(scope)
        .build(new Discovered(metadata));
  }

  private static String inService(String url) {
    return url.substring(Flow.base().length());
  }

  @Test
  void the_authorization_code_flow_from_discovery_to_revocation() throws Exception {
    var client = Flow.register("Foreign", CALLBACK);
    try (var service = service(client, "repo:read")) {
      var request = service.createAuthorizationUrlBuilder().state("s1").initPKCE();
      var web = Web.signedIn();
      var page = web.get(inService(request.build()));
      var callback = Web.location(web.submit(page, Map.of("decision", "allow")));
      var answer = service.extractAuthorization(callback);
      assertEquals("s1", answer.getState());
      var tokens =
          service.getAccessToken(
              AccessTokenRequestParams.create(answer.getCode())
                  .pkceCodeVerifier(request.getPkce().getCodeVerifier()));
      assertEquals("Bearer", tokens.getTokenType());
      assertEquals("repo:read", tokens.getScope());
      as(tokens.getAccessToken()).get("/api/whoami").then().body("authenticated", is(true));
      var next = service.refreshAccessToken(tokens.getRefreshToken());
      assertNotEquals(tokens.getRefreshToken(), next.getRefreshToken());
      service.revokeToken(next.getRefreshToken());
      assertThrows(
          OAuth2AccessTokenErrorResponse.class,
          () -> service.refreshAccessToken(next.getRefreshToken()));
    }
  }

  @Test
  void the_device_flow() throws Exception {
    try (var service = service("cairn-cli", "repo:read repo:write")) {
      var device = service.getDeviceAuthorizationCodes();
      var web = Web.signedIn();
      var page = web.get(inService(device.getVerificationUriComplete()));
      var consent = web.submit(page, Map.of("user_code", device.getUserCode()));
      web.submit(consent, Map.of("decision", "allow")).then().statusCode(200);
      var tokens = service.pollAccessTokenDeviceAuthorizationGrant(device);
      assertEquals("repo:read repo:write", tokens.getScope());
      as(tokens.getAccessToken()).get("/api/whoami").then().body("authenticated", is(true));
    }
  }
}
