package dev.cairn.access.conditional;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.emptyString;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.specification.RequestSpecification;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The API: tags of reads that are none of repository content. */
@HttpTest
@QuarkusTest
class TaggedAnswersTest {
  private static String organization(String repository) {
    return "/api/orgs/" + repository.split("/", -1)[3];
  }

  private static List<String> reads(String repository) {
    var organization = organization(repository);
    return List.of(
        repository,
        repository + "/verification",
        organization,
        organization + "/members",
        organization + "/repos",
        organization + "/audit",
        "/api/orgs",
        "/api/pats",
        "/api/whoami");
  }

  private static String tag(RequestSpecification request, String url) {
    var tag = request.get(url).then().statusCode(200).extract().header("ETag");
    assertTrue(tag != null && tag.matches("\"[A-Za-z0-9_-]{22}(-gzip)?\""), url + " has " + tag);
    return tag;
  }

  @Test
  void a_client_that_has_the_answer_gets_304() {
    for (var url : reads(Api.newRepository("private"))) {
      var tag = tag(admin(), url);
      admin()
          .header("If-None-Match", tag)
          .get(url)
          .then()
          .statusCode(304)
          .header("ETag", tag)
          .header("Cache-Control", "private, no-cache")
          .header("Vary", startsWith("Authorization"))
          .body(emptyString());
      admin().header("If-None-Match", "\"x\"").get(url).then().statusCode(200).header("ETag", tag);
    }
  }

  @Test
  void a_change_changes_the_tag_of_what_shows_it() {
    var repository = Api.newRepository("public");
    var before = tag(anonymous(), repository);
    admin().body(Map.of("description", "Other.")).patch(repository).then().statusCode(200);
    anonymous()
        .header("If-None-Match", before)
        .get(repository)
        .then()
        .statusCode(200)
        .header("ETag", not(before))
        .header("Cache-Control", "public, no-cache");
  }

  @Test
  void no_two_callers_share_a_tag_nor_do_two_narrowings() {
    var repository = Api.newRepository("public");
    var narrowed = People.narrowedPat(repository, "repo:read", "Sensor/*");
    var other = People.narrowedPat(repository, "repo:read", "Note/*");
    var tags =
        List.of(
            tag(anonymous(), repository),
            tag(admin(), repository),
            tag(as(narrowed), repository),
            tag(as(other), repository),
            tag(as(People.stranger().token()), repository));
    assertEquals(tags.size(), new HashSet<>(tags).size());
    assertEquals(tags.get(2), tag(as(narrowed), repository));
  }

  @Test
  void two_reads_with_the_same_answer_have_tags_of_their_own() {
    var repository = Api.newRepository("private");
    var organization = organization(repository);
    assertNotEquals(
        tag(admin(), organization + "/members"), tag(admin(), organization + "/members?limit=50"));
  }

  @Test
  void writes_and_errors_have_none() {
    var repository = Api.newRepository("private");
    admin()
        .body(Map.of("description", "Other."))
        .patch(repository)
        .then()
        .statusCode(200)
        .header("ETag", nullValue());
    anonymous()
        .header("If-None-Match", "*")
        .get(repository)
        .then()
        .statusCode(404)
        .header("ETag", nullValue());
  }
}
