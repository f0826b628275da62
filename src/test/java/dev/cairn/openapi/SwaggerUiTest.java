package dev.cairn.openapi;

import static dev.cairn.Api.anonymous;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.startsWith;

import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** API: the switch of the page to try the API. */
@HttpTest
@QuarkusTest
@TestProfile(SwaggerUiTest.On.class)
class SwaggerUiTest {
  /** Switches the page on. */
  public static class On implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of("quarkus.swagger-ui.enabled", "true");
    }
  }

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
