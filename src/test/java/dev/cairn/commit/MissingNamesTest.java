package dev.cairn.commit;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static dev.cairn.Api.commit;
import static dev.cairn.Api.newRepository;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a problem says about a name that nothing has. */
@HttpTest
@QuarkusTest
class MissingNamesTest {
  private static final String SHAPE =
      "{'operation':'add','kind':'shape','name':'%s','data':{'fields':{'to?':'wref'}}}";

  private static String add(String name) {
    return "{'operation':'add','name':'%s','data':{}}".formatted(name);
  }

  private static String rename(String name, String newName) {
    return "{'operation':'rename','name':'%s','newName':'%s'}".formatted(name, newName);
  }

  private static String content(String... operations) {
    var repository = newRepository("private");
    commit(repository, SHAPE.formatted("Sensor") + "," + String.join(",", operations))
        .statusCode(201);
    return repository;
  }

  /** The refusal of a sensor that refers to a missing entity. */
  private static ValidatableResponse refused(String repository, String wref) {
    return refused(repository, "Sensor", wref);
  }

  private static ValidatableResponse refused(String repository, String shape, String wref) {
    return commit(
            repository,
            "{'operation':'add','name':'%s/x','data':{'to':'%s'}}".formatted(shape, wref))
        .statusCode(400)
        .body("code", equalTo("UNRESOLVED_REFERENCE"));
  }

  @Test
  void a_name_with_a_slip_is_suggested() {
    var repository = content(add("Sensor/north-east"), add("Sensor/south"));

    for (var slip :
        new String[] {"north-eats", "north_east", "North-East", "nrth-east", "noorth-east"}) {
      refused(repository, "Sensor/" + slip)
          .body("details.missing", equalTo("Sensor/" + slip))
          .body("details.near", contains("Sensor/north-east"))
          .body("hint", equalTo("Did you mean `Sensor/north-east`?"));
    }
    refused(repository, "Sensor/something-else")
        .body("details.near", nullValue())
        .body("hint", nullValue());
  }

  @Test
  void reads_suggest_names_too() {
    var repository = content(add("Sensor/north"), add("Sensor/old"));
    commit(repository, rename("Sensor/old", "new-name")).statusCode(201);

    for (var path :
        new String[] {
          "/things/Sensor/nort",
          "/history?wref=Sensor/nort",
          "/about/Sensor/nort",
          "/refs/Sensor/nort",
          "/resolve/Sensor/nort"
        }) {
      admin()
          .get(repository + path)
          .then()
          .statusCode(404)
          .body("details.near", contains("Sensor/north"))
          .body("hint", equalTo("Did you mean `Sensor/north`?"));
    }
    admin()
        .get(repository + "/things/Sensor/old")
        .then()
        .statusCode(404)
        .body("details.renamedTo", equalTo("Sensor/new-name"));
  }

  @Test
  void reads_of_a_shape_suggest_shapes() {
    var repository = content(SHAPE.formatted("Device"));
    commit(repository, rename("Device", "Machine")).statusCode(201);

    for (var slip : new String[] {"Sensr", "sensor", "Sensors"}) {
      admin()
          .get(repository + "/shapes/" + slip)
          .then()
          .statusCode(404)
          .body("details.near", contains("Shape/Sensor"))
          .body("hint", equalTo("Did you mean `Shape/Sensor`?"));
    }
    admin()
        .get(repository + "/shapes/Device")
        .then()
        .statusCode(404)
        .body("details.renamedTo", equalTo("Shape/Machine"));
    as(People.narrowedPat(repository, "repo:read", "Sensor/*"))
        .get(repository + "/shapes/Sensr")
        .then()
        .statusCode(404)
        .body("details", nullValue());
  }

  @Test
  void a_shape_with_a_slip_is_suggested() {
    var repository = content(add("Sensor/north"));

    refused(repository, "Sensors/north").body("details.near", contains("Sensor/north"));
    refused(repository, "sensor/nrth").body("details.near", contains("Sensor/north"));
    commit(repository, add("Sensr/new"))
        .statusCode(404)
        .body("details.near", contains("Shape/Sensor"));
  }

  @Test
  void the_present_name_of_a_renamed_entity_is_told() {
    var repository = content(add("Sensor/a"), add("Sensor/b"));
    commit(repository, rename("Sensor/a", "west")).statusCode(201);
    commit(repository, rename("Sensor/west", "west-2")).statusCode(201);
    commit(repository, rename("Sensor", "Device")).statusCode(201);

    refused(repository, "Device", "Device/west")
        .body("details.renamedTo", equalTo("Device/west-2"))
        .body("hint", equalTo("It is called `Device/west-2` now."));
    refused(repository, "Device", "Sensor/b").body("details.near", contains("Device/b"));
    commit(repository, add("Sensor/new"))
        .statusCode(404)
        .body("details.renamedTo", equalTo("Shape/Device"));
  }

  @Test
  void a_narrowed_token_learns_only_of_what_it_may_read() {
    var repository = content(add("Sensor/open-a"), add("Sensor/secret-a"), add("Sensor/open-old"));
    commit(repository, rename("Sensor/open-old", "secret-new")).statusCode(201);
    commit(repository, add("Sensor/secret-old")).statusCode(201);
    commit(repository, rename("Sensor/secret-old", "open-new")).statusCode(201);
    var name = repository.substring("/api/repos/".length());
    String token =
        admin()
            .body(
                "{\"name\":\"%s\",\"scopes\":[{\"resource\":\"%s\",\"permissions\":[\"repo:read\",\"repo:write\"],\"allowedMatches\":[\"Sensor/open-*\"]}]}"
                    .formatted(Api.unique("pat"), name))
            .post("/api/pats")
            .then()
            .statusCode(201)
            .extract()
            .path("token");

    hint(token, repository, "open-aa", "Did you mean `Sensor/open-a`?");
    hint(token, repository, "open-b", null);
    hint(token, repository, "secret-b", null);
    hint(token, repository, "open-old", null);
    hint(token, repository, "secret-old", null);
    assertEquals(
        problem(token, repository, "secret-a").replace("secret-a", "X"),
        problem(token, repository, "secret-c").replace("secret-c", "X"));
  }

  @Test
  void hidden_entities_that_had_a_name_later_hide_no_other_from_a_narrowed_token() {
    var repository = content(add("Sensor/open-old"));
    commit(repository, rename("Sensor/open-old", "open-new")).statusCode(201);
    commit(repository, hidden(i -> SHAPE.formatted("D" + i))).statusCode(201);
    commit(repository, hidden(i -> add("D%d/open-old".formatted(i)))).statusCode(201);
    commit(repository, hidden(i -> rename("D%d/open-old".formatted(i), "x"))).statusCode(201);

    as(People.narrowedPat(repository, "repo:read", "Sensor/open-*"))
        .get(repository + "/things/Sensor/open-old")
        .then()
        .statusCode(404)
        .body("details.renamedTo", equalTo("Sensor/open-new"));
  }

  private static String hidden(IntFunction<String> operation) {
    return IntStream.range(0, 101).mapToObj(operation).collect(Collectors.joining(","));
  }

  private static void hint(String token, String repository, String name, String hint) {
    as(token)
        .body(reference(name))
        .post(repository + "/commits")
        .then()
        .statusCode(400)
        .body("hint", equalTo(hint));
  }

  private static String problem(String token, String repository, String name) {
    return as(token)
        .body(reference(name))
        .post(repository + "/commits")
        .then()
        .extract()
        .asString();
  }

  private static String reference(String name) {
    return "{\"operations\":[{\"operation\":\"add\",\"name\":\"Sensor/open-x\",\"data\":{\"to\":\"Sensor/%s\"}}]}"
        .formatted(name);
  }

  @Test
  void an_atomic_commit_explains_the_first_name_that_is_missing() {
    var repository = content(add("Sensor/north"));

    commit(
            repository,
            "{'operation':'add','name':'Sensor/x','data':{'to':7}},"
                + "{'operation':'retract','name':'Sensor/nort'}")
        .statusCode(400)
        .body("code", equalTo("SHAPE_MISMATCH"))
        .body("details.opIndex", equalTo(0))
        .body("details.missing", equalTo("Sensor/nort"))
        .body("details.near", contains("Sensor/north"));
    commit(repository, add("Sensor/north") + ",{'operation':'retract','name':'Sensor/nort'}")
        .statusCode(409)
        .body("details.missing", equalTo("Sensor/nort"))
        .body("details.near", contains("Sensor/north"))
        .body("hint", equalTo("Revise it, add it under another name, or send `skipExisting`."));
  }

  @Test
  void a_partial_commit_explains_its_first_ten_failures() {
    var repository = content(add("Sensor/north"), add("Sensor/old"));
    commit(repository, rename("Sensor/old", "new")).statusCode(201);
    var operations =
        add("Sensor/west")
            + ",{'operation':'retract','name':'Sensor/old'},"
            + IntStream.range(0, 10)
                .mapToObj(i -> "{'operation':'retract','name':'Sensor/nort%d'}".formatted(i))
                .collect(Collectors.joining(","));
    var body = "{'atomic':false,'operations':[" + operations + "]}";

    var answer =
        admin()
            .header("Idempotency-Key", "explained")
            .body(body.replace('\'', '"'))
            .post(repository + "/commits")
            .then()
            .statusCode(201)
            .body("operations[0].status", equalTo("applied"))
            .body("operations[1].error.details.renamedTo", equalTo("Sensor/new"))
            .body("operations[1].error.hint", equalTo("It is called `Sensor/new` now."))
            .body("operations[2].error.details.near", contains("Sensor/north"))
            .body("operations[2].error.hint", equalTo("Did you mean `Sensor/north`?"))
            .body("operations[10].error.details.near", contains("Sensor/north"))
            .body("operations[11].error.details.missing", equalTo("Sensor/nort9"))
            .body("operations[11].error.details.near", nullValue())
            .extract()
            .asString();
    assertEquals(
        answer,
        admin()
            .header("Idempotency-Key", "explained")
            .body(body.replace('\'', '"'))
            .post(repository + "/commits")
            .asString());
    // The same key of a token that may not read is another one.
    var name = repository.substring("/api/repos/".length());
    var writer = "{'resource':'%s','permissions':['repo:write']}".formatted(name);
    as(People.pat(Api.adminToken(), writer))
        .header("Idempotency-Key", "explained")
        .body(body.replace('\'', '"'))
        .post(repository + "/commits")
        .then()
        .statusCode(200)
        .body("operations[2].error.details.missing", equalTo("Sensor/nort0"))
        .body("operations[2].error.details.near", nullValue());
  }

  @Test
  void a_long_name_among_many_costs_little() {
    var repository =
        content(
            IntStream.range(0, 500)
                .mapToObj(i -> add("Sensor/n" + "x".repeat(400) + i))
                .collect(Collectors.joining(",")));

    refused(repository, "Sensor/n" + "x".repeat(400) + "4999")
        .body("details.near.size()", equalTo(3));
  }

  @Test
  void a_shape_is_found_however_many_there_are() {
    var shapes =
        IntStream.range(0, 510)
            .mapToObj(i -> SHAPE.formatted("A%03d".formatted(i)))
            .collect(Collectors.joining(","));
    var repository = content(shapes, SHAPE.formatted("Zone"), add("Zone/north"));

    refused(repository, "Zone/nort").body("details.near", contains("Zone/north"));
  }

  @Test
  void a_name_that_looks_like_a_token_is_missing_like_any_other() {
    commit(content(add("Sensor/a")), add("eyJhbGciOiJIUzI1NiJ9/x"))
        .statusCode(404)
        .body("code", equalTo("NOT_FOUND"))
        .body("errors[0].pointer", equalTo("/operations/0/name"))
        .body("details.near", nullValue());
  }
}
