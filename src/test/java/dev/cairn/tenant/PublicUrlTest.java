package dev.cairn.tenant;

import static dev.cairn.Api.admin;
import static dev.cairn.BehindProxy.BASE;
import static org.hamcrest.Matchers.is;

import dev.cairn.Api;
import dev.cairn.BehindProxy;
import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Operation: behind a proxy, answers name the address that clients see. */
@HttpTest
@QuarkusTest
@TestProfile(BehindProxy.class)
class PublicUrlTest {
  @Test
  void a_location_begins_with_the_public_url() {
    var org = Api.unique("public-url");
    admin()
        .body(Map.of("name", org))
        .post("/api/orgs")
        .then()
        .statusCode(201)
        .header("Location", is(BASE + "/api/orgs/" + org));
    admin()
        .body(Map.of("name", "r"))
        .post("/api/orgs/" + org + "/repos")
        .then()
        .statusCode(201)
        .header("Location", is(BASE + "/api/repos/" + org + "/r"));
  }
}
