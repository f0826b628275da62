package dev.cairn.access.authentication;

import static dev.cairn.Api.as;
import static dev.cairn.BehindProxy.BASE;

import dev.cairn.Api;
import dev.cairn.BehindProxy;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Access: where the public URL is set, access tokens are good only if they name it. */
@HttpTest
@QuarkusTest
@TestProfile(BehindProxy.class)
@InProcess("It signs tokens that the service would not.")
class AudienceTest {
  private static final String OTHER = "https://other.example";

  @Inject Accounts accounts;
  @Inject AccessTokens tokens;

  private String token(String issuer, String audience) {
    var account =
        accounts.create(Api.unique("audience") + "@example.org", "Holder", "a good password");
    var purpose = new AccessTokens.Purpose(audience, AccessTokens.OWN_CLIENT, null);
    return tokens.issue(account, AccountRows.session(account.id), issuer, purpose, Instant.now());
  }

  private void answered(int status, String issuer, String audience) {
    as(token(issuer, audience)).get("/api/whoami").then().statusCode(status);
  }

  @Test
  void a_token_of_another_issuer_or_for_another_audience_is_refused() {
    answered(200, BASE, BASE);
    answered(200, BASE, BASE + "/mcp");
    answered(401, OTHER, OTHER);
    answered(401, OTHER, BASE);
    answered(401, BASE, OTHER);
    answered(401, BASE, BASE + "/other");
  }
}
