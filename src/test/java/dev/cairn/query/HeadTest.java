package dev.cairn.query;

import static dev.cairn.Api.anonymous;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.nullValue;

import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

@HttpTest
@QuarkusTest
class HeadTest {
  @Test
  void the_demo_query_of_the_readme_is_answered_without_credentials() {
    anonymous()
        .get("/api/repos/demo/world/head?shape=Country&limit=3")
        .then()
        .statusCode(200)
        .body("items.wref", contains("Country/AD", "Country/AE", "Country/AF"))
        .body("items[0].aboutWref", nullValue());
  }
}
