package dev.cairn.export;

import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.is;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.specification.RequestSpecification;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/access.md, Exports: who gets one, in all three modes. */
@HttpTest
@QuarkusTest
class ExportAccessTest {
  private static void assertRefused(
      Supplier<RequestSpecification> caller, String repository, int status, String code) {
    var token = Exports.mint(repository);
    for (var mode : new String[] {"", "?prefer=async", "?token=" + token}) {
      caller
          .get()
          .get(repository + "/export" + mode)
          .then()
          .statusCode(status)
          .body("code", is(code));
    }
  }

  private static String org(String repository) {
    return repository.split("/", -1)[3];
  }

  @Test
  void a_public_repository_is_exported_to_members_alone() {
    var repository = Api.newRepository("public");
    assertRefused(Api::anonymous, repository, 401, "UNAUTHENTICATED");
    var stranger = People.stranger();
    assertRefused(() -> as(stranger.token()), repository, 403, "FORBIDDEN");
  }

  @Test
  void a_private_one_is_not_there_for_strangers() {
    var repository = Api.newRepository("private");
    assertRefused(Api::anonymous, repository, 404, "NOT_FOUND");
    var stranger = People.stranger();
    assertRefused(() -> as(stranger.token()), repository, 404, "NOT_FOUND");
  }

  @Test
  void a_viewer_may() {
    var repository = Api.newRepository("private");
    var viewer = as(People.member(org(repository), "viewer").token());
    viewer.get(repository + "/export").then().statusCode(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'resource':'%s','permissions':['repo:read']}",
        "{'resource':'%s','permissions':['repo:checkpoint-read']}",
        "{'resource':'%s','permissions':['repo:read','repo:checkpoint-read'],'allowedMatches':['**']}",
        "{'resource':'%1$s','permissions':['repo:read'],'allowedMatches':['Sensor/**']},"
            + "{'resource':'%1$s','permissions':['repo:checkpoint-read']}",
        "{'resource':'%1$s','permissions':['repo:checkpoint-read'],'allowedMatches':['Sensor/**']},"
            + "{'resource':'%1$s','permissions':['repo:read']}",
        "{'resource':'%s','permissions':['repo:read','repo:checkpoint-read'],'allowedMatches':[]}"
      })
  void a_token_needs_both_permissions_and_neither_narrowed(String scopes) {
    for (var visibility : new String[] {"public", "private"}) {
      var repository = Api.newRepository(visibility);
      var token = structuredPat(scopes.formatted(repository.substring("/api/repos/".length())));
      assertRefused(() -> as(token), repository, 403, "FORBIDDEN");
    }
  }

  private static String structuredPat(String scopes) {
    return Api.admin()
        .body(
            "{'name':'%s','structured':true,'scopes':[%s]}"
                .formatted(Api.unique("pat"), scopes)
                .replace('\'', '"'))
        .post("/api/pats")
        .then()
        .statusCode(201)
        .extract()
        .path("token");
  }

  @Test
  void a_token_with_both_may() {
    var repository = Api.newRepository("private");
    var token =
        People.pat(
            Api.adminToken(),
            "{'resource':'%s','permissions':['repo:read','repo:checkpoint-read']}"
                .formatted(org(repository)));
    as(token).get(repository + "/export").then().statusCode(200);
    as(token).get(repository + "/export?prefer=async").then().statusCode(202);
  }

  @Test
  void a_download_needs_its_link_and_nothing_else() {
    var repository = Api.newRepository("private");
    var link = Exports.link(repository, Exports.mint(repository));
    anonymous().get(link).then().statusCode(200);
  }
}
