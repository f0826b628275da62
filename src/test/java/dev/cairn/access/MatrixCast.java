package dev.cairn.access;

import static dev.cairn.Api.as;

import dev.cairn.Api;
import dev.cairn.People;
import dev.cairn.People.Person;
import dev.cairn.Prepared;
import dev.cairn.access.authentication.AccountRows;
import dev.cairn.access.token.InstalledComponent;
import dev.cairn.access.token.Sprites;
import dev.cairn.platform.database.OwnConnections;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Who sends the requests of the caller matrix; each has a personal access token {@code spare}.
 *
 * @param members those of each role below the owner
 * @param expired a token of the owner
 * @param revoked a token of the owner
 * @param ended the access token of a session of the owner that was ended
 * @param sprites makes the service token of the owner in a repository, which is good for every
 *     {@code repo:} permission
 * @param components makes the token of a component that the owner installed in a repository, which
 *     reads and writes everything
 */
record MatrixCast(
    Person owner,
    Person stranger,
    Map<Role, Person> members,
    String expired,
    String revoked,
    String ended,
    BiFunction<Person, String, String> sprites,
    BiFunction<Person, String, String> components) {
  static final String PASSWORD = "correct horse battery";

  static MatrixCast of() {
    var owner = person();
    var members =
        Map.of(
            Role.VIEWER, person(),
            Role.EDITOR, person(),
            Role.ADMIN, person());
    return new MatrixCast(
        owner,
        person(),
        members,
        expired(owner),
        revoked(owner),
        ended(owner),
        (creator, repository) ->
            new Sprites(repository)
                .token(creator.email(), "[{'permissions':[" + MatrixColumn.OF_REPOSITORIES + "]}]")
                .orElseThrow(),
        (installer, repository) -> new InstalledComponent(repository).token(installer.email()));
  }

  private static Person person() {
    var email = Api.unique("cast") + "@example.org";
    AccountRows.insert(email, "Cast", PASSWORD);
    var person = new Person(email, Api.token(email, PASSWORD));
    pat(person, "spare");
    return person;
  }

  private static String pat(Person person, String name) {
    return Prepared.answer(201, person.token(), "POST", "/api/pats", Map.of("name", name))
        .path("token")
        .textValue();
  }

  private static String expired(Person owner) {
    var token = pat(owner, "expired");
    OwnConnections.database()
        .update(
            """
        update personal_access_token set expires_at = now() - interval '1 second'
        where name = 'expired' and account_id = (select id from account where email = ?)
        """,
            owner.email());
    return token;
  }

  private static String revoked(Person owner) {
    var token = People.pat(owner.token(), null);
    var name = as(token).get("/api/whoami").then().extract().path("token.name");
    as(owner.token()).delete("/api/pats/" + name).then().statusCode(200);
    return token;
  }

  private static String ended(Person owner) {
    var session = Api.login(owner.email(), PASSWORD).statusCode(200).extract();
    Api.anonymous()
        .body(Map.of("refreshToken", session.<String>path("refreshToken")))
        .post("/api/auth/logout")
        .then()
        .statusCode(200);
    return session.path("accessToken");
  }

  String login() {
    return owner.email();
  }

  /** One that was not used yet. */
  String refreshToken() {
    return Prepared.answer(
            200,
            null,
            "POST",
            "/api/auth/login",
            Map.of("email", owner.email(), "password", PASSWORD))
        .path("refreshToken")
        .textValue();
  }
}
