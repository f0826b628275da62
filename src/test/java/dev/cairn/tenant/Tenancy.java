package dev.cairn.tenant;

import static org.hamcrest.Matchers.is;

import dev.cairn.People;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.util.Map;

/** Requests about organizations and their members, for the tests of them. */
final class Tenancy {
  static final String ORGS = "/api/orgs";

  static String members(String org) {
    return "/api/orgs/" + org + "/members";
  }

  static String repos(String org) {
    return "/api/orgs/" + org + "/repos";
  }

  static Response role(RequestSpecification caller, String org, People.Person person, String role) {
    return caller.body(Map.of("role", role)).put(members(org) + "/" + person.inPath());
  }

  static Response remove(RequestSpecification caller, String org, People.Person person) {
    return caller.delete(members(org) + "/" + person.inPath());
  }

  static ValidatableResponse refused(Response response, int status, String code) {
    return response.then().statusCode(status).body("code", is(code));
  }

  static void invalid(Response response, String pointer) {
    refused(response, 400, "VALIDATION_ERROR").body("errors[0].pointer", is(pointer));
  }

  static String org(String repository) {
    return repository.split("/", -1)[3];
  }

  private Tenancy() {}
}
