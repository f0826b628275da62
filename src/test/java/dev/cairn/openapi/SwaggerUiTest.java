package dev.cairn.openapi;

import static dev.cairn.Api.anonymous;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.startsWith;

import dev.cairn.HttpTest;
import dev.cairn.Uncommon;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import org.junit.jupiter.api.Test;

/** API: the switch of the page to try the API. */
@HttpTest
@QuarkusTest
@TestProfile(Uncommon.class)
class SwaggerUiTest {
  @Test
  void switched_on_the_page_shows_the_document() {
    anonymous()
        .get("/q/swagger-ui/")
        .then()
        .statusCode(200)
        .contentType("text/html")
        .header("Content-Security-Policy", startsWith("default-src 'self'; "))
        .body(containsString("url: '/q/openapi'"));
    anonymous().get("/q/swagger-ui/swagger-ui-bundle.js").then().statusCode(200);
  }
}
