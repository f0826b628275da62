package dev.cairn.tenant;

import static dev.cairn.Api.admin;
import static org.hamcrest.Matchers.is;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Operation: behind a proxy, answers name the address that clients see. */
@HttpTest
@QuarkusTest
@TestProfile(PublicUrlTest.BehindProxy.class)
class PublicUrlTest {
  /** Sets the public URL. */
  public static class BehindProxy implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of("cairn.public-url", "https://cairn.example.org/base/");
    }
  }

  @Test
  void a_location_begins_with_the_public_url() {
    var org = Api.unique("public-url");
    admin()
        .body(Map.of("name", org))
        .post("/api/orgs")
        .then()
        .statusCode(201)
        .header("Location", is("https://cairn.example.org/base/api/orgs/" + org));
    admin()
        .body(Map.of("name", "r"))
        .post("/api/orgs/" + org + "/repos")
        .then()
        .statusCode(201)
        .header("Location", is("https://cairn.example.org/base/api/repos/" + org + "/r"));
  }
}
