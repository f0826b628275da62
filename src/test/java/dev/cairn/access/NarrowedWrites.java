package dev.cairn.access;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.People;
import dev.cairn.Prepared;
import io.restassured.response.ValidatableResponse;
import org.junit.jupiter.api.BeforeEach;

/** A repository, and tokens of narrowed scopes that commit to it. */
abstract class NarrowedWrites {
  private static final String FIELDS = "{'fields':{'n?':'number','to?':'wref'}}";

  /** Shapes Note and Doc; things Note/a, Note/b, Doc/x; assertions Note/on-a, Doc/on-a. */
  String repository;

  @BeforeEach
  void content() {
    repository = Api.newRepository("private");
    committed(
        shape("Note"),
        shape("Doc"),
        add("Note/a", "{}"),
        add("Note/b", "{}"),
        add("Doc/x", "{}"),
        about("Note/on-a", "'Note/a'"),
        about("Doc/on-a", "'Note/a'"));
  }

  static String shape(String name) {
    return "{'operation':'add','kind':'shape','name':'%s','data':%s}".formatted(name, FIELDS);
  }

  static String add(String name, String data) {
    return "{'operation':'add','name':'%s','data':%s}".formatted(name, data);
  }

  static String skipping(String name) {
    return "{'operation':'add','name':'%s','data':{},'skipExisting':true}".formatted(name);
  }

  static String about(String name, String about) {
    return "{'operation':'add','name':'%s','about':%s,'data':{}}".formatted(name, about);
  }

  static String revise(String name, String data) {
    return "{'operation':'revise','name':'%s','data':%s}".formatted(name, data);
  }

  static String retract(String name) {
    return "{'operation':'retract','name':'%s'}".formatted(name);
  }

  static String rename(String name, String newName) {
    return "{'operation':'rename','name':'%s','newName':'%s'}".formatted(name, newName);
  }

  static String pair(String... members) {
    return "{'operation':'add','type':'pair','members':['%s']}"
        .formatted(String.join("','", members));
  }

  static String named(String name, String... members) {
    return "{'operation':'add','name':'%s','type':'pair','members':['%s']}"
        .formatted(name, String.join("','", members));
  }

  void committed(String... operations) {
    Prepared.commit(repository, String.join(",", operations));
  }

  String name() {
    return repository.substring("/api/repos/".length());
  }

  String org() {
    return name().substring(0, name().indexOf('/'));
  }

  /** A token of the administrator that writes what matches, and reads nothing. */
  String writer(String... patterns) {
    return People.narrowedPat(repository, "repo:write", patterns);
  }

  /**
   * A token of the administrator.
   *
   * @param resource what it reads all of
   * @param patterns what it writes of the repository
   */
  String reading(String resource, String... patterns) {
    return People.pat(
        Api.adminToken(),
        "{'resource':'%s','permissions':['repo:read']},{'resource':'%s','permissions':['repo:write'],'allowedMatches':['%s']}"
            .formatted(resource, name(), String.join("','", patterns)));
  }

  ValidatableResponse commit(String token, String... operations) {
    return send(token, "{'operations':[%s]}", operations);
  }

  ValidatableResponse partial(String token, String... operations) {
    return send(token, "{'atomic':false,'operations':[%s]}", operations);
  }

  ValidatableResponse dryRun(String token, String... operations) {
    return send(token, "{'dryRun':true,'operations':[%s]}", operations);
  }

  ValidatableResponse send(String token, String body, String... operations) {
    return as(token)
        .body(body.formatted(String.join(",", operations)).replace('\'', '"'))
        .post(repository + "/commits")
        .then();
  }

  /** Everything that a write could change. */
  String state() {
    return admin().get(repository + "/commits").asString()
        + admin().get(repository + "/head?includeInactive=true&limit=500").asString();
  }

  /** Commits what must be refused at the operation with this index, leaving no trace. */
  String refused(int index, String code, String token, String... operations) {
    var before = state();
    var answer = commit(token, operations);
    answer
        .body("code", is(code))
        .body("errors", hasSize(1))
        .body("errors[0].pointer", startsWith("/operations/" + index));
    assertEquals(before, state(), "nothing may change");
    return answer.extract().asString();
  }

  String forbidden(String token, String operation) {
    var answer = refused(0, "FORBIDDEN", token, operation);
    commit(token, operation).statusCode(403);
    return answer;
  }
}
