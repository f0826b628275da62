package dev.cairn.tenant;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Prepared;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** New names for organizations and repositories, and a repository's settings. */
@HttpTest
@QuarkusTest
class RenameTenantTest {
  private static String org(String repository) {
    return repository.split("/", -1)[3];
  }

  private static ValidatableResponse patch(String path, String body) {
    return admin().body(body.replace('\'', '"')).patch(path).then();
  }

  @Test
  void a_repository_is_found_by_its_new_name_only_and_keeps_its_content() {
    var repository = Api.newRepository();
    Prepared.commit(repository, "{'operation':'add','name':'S','data':{'fields':{}}}");
    patch(repository, "{'name':'renamed'}").statusCode(200).body("name", is("renamed"));
    admin().get(repository).then().statusCode(404);
    var renamed = "/api/repos/" + org(repository) + "/renamed";
    admin()
        .get(renamed + "/things/Shape%2FS")
        .then()
        .statusCode(200)
        .body("canonicalWref", is("cairn:" + org(repository) + "/renamed/Shape/S"));
    admin().get(renamed + "/verification").then().body("verified", is(true));
    Prepared.commit(renamed, "{'operation':'add','name':'T','data':{'fields':{}}}");
  }

  @Test
  void an_organization_is_found_by_its_new_name_only() {
    var repository = Api.newRepository();
    var name = Api.unique("renamed");
    patch("/api/orgs/" + org(repository), "{'name':'" + name + "'}")
        .statusCode(200)
        .body("name", is(name));
    admin().get("/api/orgs/" + org(repository)).then().statusCode(404);
    admin().get(repository).then().statusCode(404);
    admin().get("/api/repos/" + name + "/repo").then().statusCode(200);
  }

  @Test
  void a_taken_reserved_or_malformed_name_is_refused_and_changes_nothing() {
    var one = Api.newRepository();
    var other = Api.newOrg();
    var org = org(one);
    admin().body(Map.of("name", "two")).post("/api/orgs/" + org + "/repos").then().statusCode(201);
    patch(one, "{'name':'two','description':'x'}")
        .statusCode(409)
        .body("code", is("ALREADY_EXISTS"));
    patch(one, "{'name':'Two'}").statusCode(400).body("errors[0].pointer", is("/name"));
    admin().get(one).then().statusCode(200).body("description", nullValue());
    patch("/api/orgs/" + org, "{'name':'" + other + "'}")
        .statusCode(409)
        .body("code", is("ALREADY_EXISTS"));
    patch("/api/orgs/" + org, "{'name':'api'}").statusCode(400).body("code", is("RESERVED_NAME"));
    admin().get("/api/orgs/" + org).then().statusCode(200);
  }

  @Test
  void its_own_name_is_no_change() {
    var repository = Api.newRepository();
    patch(repository, "{'name':'repo'}").statusCode(200);
    patch("/api/orgs/" + org(repository), "{'name':'" + org(repository) + "'}").statusCode(200);
  }

  @Test
  void only_owners_rename_organizations() {
    var repository = Api.newRepository();
    var admin = People.member(org(repository), "admin");
    as(admin.token())
        .body(Map.of("name", Api.unique("mine")))
        .patch("/api/orgs/" + org(repository))
        .then()
        .statusCode(403);
    as(admin.token()).body(Map.of("name", "mine")).patch(repository).then().statusCode(200);
  }

  @Test
  void settings_are_merged_and_shown_to_those_who_write() {
    var repository = Api.newRepository();
    admin().get(repository).then().body("settings.streams", nullValue());
    patch(repository, "{'settings':{'streams':{'enabled':true}}}")
        .statusCode(200)
        .body("settings.streams.enabled", is(true));
    patch(repository, "{'settings':{}}").body("settings.streams.enabled", is(true));
    patch(repository, "{'settings':{'streams':{'enabled':false}}}")
        .body("settings.streams.enabled", is(false));
    Api.anonymous().get(repository).then().statusCode(200).body("settings", nullValue());
    as(People.member(org(repository), "viewer").token())
        .get(repository)
        .then()
        .body("settings", nullValue());
  }

  @Test
  void a_setting_that_does_not_exist_is_named() {
    var repository = Api.newRepository();
    patch(repository, "{'settings':{'streams':{'enabled':'yes'}}}")
        .statusCode(400)
        .body("errors[0].pointer", is("/settings/streams/enabled"));
    patch(repository, "{'settings':{'colour':1}}")
        .statusCode(400)
        .body("errors[0].pointer", is("/settings/colour"));
  }
}
