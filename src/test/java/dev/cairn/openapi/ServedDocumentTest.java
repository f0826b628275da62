package dev.cairn.openapi;

import static dev.cairn.Api.anonymous;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import org.junit.jupiter.api.Test;

/** API: the document at {@code /q/openapi} is the file that is reviewed. */
@HttpTest
@QuarkusTest
class ServedDocumentTest {
  private static String served(String path, String mediaType) {
    return anonymous()
        .get(path)
        .then()
        .statusCode(200)
        .contentType(mediaType)
        .header("X-Content-Type-Options", is("nosniff"))
        .extract()
        .asString();
  }

  @Test
  void the_document_is_served_as_yaml_and_as_json_without_loss() {
    assertEquals(OpenApi.get().root(), OpenApi.yaml(served("/q/openapi", "application/yaml")));
    var json = served("/q/openapi?format=json", "application/json");
    assertEquals(OpenApi.get().root(), OpenApi.json(json));
    assertEquals("3.1.0", JsonPath.from(json).getString("openapi"));
  }

  @Test
  void it_is_for_everybody_but_not_for_a_bad_token() {
    anonymous().auth().oauth2("no token").get("/q/openapi").then().statusCode(401);
  }

  @Test
  void the_page_to_try_it_is_off_unless_it_is_switched_on() {
    anonymous().get("/q/swagger-ui/").then().statusCode(404);
  }
}
