package dev.cairn.tenant;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import dev.cairn.Api;
import dev.cairn.HeldLock;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.Threads;
import dev.cairn.Waiting;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests that wait while somebody takes away what they were let in for; docs/access.md. */
@HttpTest
@QuarkusTest
class OvertakenTest {
  private static final String DEMOTE =
      """
      update member set role = 'viewer'
      where account_id = (select id from account where email = ?)
      """;
  private static final String REMOVE =
      "delete from member where account_id = (select id from account where email = ?)";
  private static final String REVOKE =
      """
      update personal_access_token set revoked_at = now()
      where account_id = (select id from account where email = ?)
      """;
  private static final String SIGN_OUT =
      "delete from session where account_id = (select id from account where email = ?)";
  private static final String ARCHIVE =
      "update organization set archived_at = now() where name = ?";

  /** Holds off all changes of the repositories of an organization. */
  private static final String LOCK_REPOSITORIES =
      """
      select from repository r join repository_head h on h.repo_id = r.id
      join organization o on o.id = r.org_id where o.name = ? for update of r, h, o
      """;

  private static final String LOCK_EXPORTS =
      """
      select pg_advisory_xact_lock(hashtextextended('export ' || r.id, 0))
      from repository r join organization o on o.id = r.org_id where o.name = ?
      """;

  private final DataSource dataSource = OwnConnections.dataSource();

  private String org;
  private People.Person owner;

  /** What is done while a request waits. */
  @FunctionalInterface
  private interface Change {
    void make(Connection connection) throws SQLException;
  }

  @BeforeEach
  void organization() {
    org = Api.newOrg();
    owner = People.member(org, "owner");
  }

  /** The answer to a request that waits for the organization until a change of it is done. */
  private ValidatableResponse overtaken(String change, String parameter, Supplier<Response> request)
      throws Exception {
    return overtaken(
        "select from organization where name = ? for no key update", change, parameter, request);
  }

  private ValidatableResponse overtaken(
      String lock, String change, String parameter, Supplier<Response> request) throws Exception {
    return overtaken(
        lock, connection -> OwnConnections.execute(connection, change, parameter), request);
  }

  private ValidatableResponse overtaken(String lock, Change change, Supplier<Response> request)
      throws Exception {
    try (var connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      try {
        OwnConnections.execute(connection, lock, org);
        change.make(connection);
        var answer = CompletableFuture.supplyAsync(request, Threads.OWN);
        Waiting.awaitWaiter(connection);
        connection.commit();
        return answer.get(10, TimeUnit.SECONDS).then();
      } finally {
        connection.rollback();
        connection.setAutoCommit(true);
      }
    }
  }

  private String member(People.Person person) {
    return "/api/orgs/" + org + "/members/" + person.inPath();
  }

  private Response makeOwner(String token, People.Person person) {
    return as(token).body(Map.of("role", "owner")).put(member(person));
  }

  private static void refused(ValidatableResponse answer, int status, String code) {
    answer.statusCode(status).body("code", is(code));
  }

  private void assertNoMember(People.Person person) {
    admin()
        .get("/api/orgs/" + org + "/members")
        .then()
        .statusCode(200)
        .body("items.email", not(hasItem(person.email())));
  }

  @Test
  void a_demoted_owner_makes_no_owner() throws Exception {
    var other = People.stranger();
    refused(
        overtaken(DEMOTE, owner.email(), () -> makeOwner(owner.token(), other)), 403, "FORBIDDEN");
    assertNoMember(other);
  }

  @Test
  void a_removed_owner_removes_nobody() throws Exception {
    var other = People.member(org, "viewer");
    refused(
        overtaken(REMOVE, owner.email(), () -> as(owner.token()).delete(member(other))),
        403,
        "FORBIDDEN");
    admin().get("/api/orgs/" + org + "/members").then().body("items.email", hasItem(other.email()));
  }

  @Test
  void a_token_that_was_just_revoked_makes_no_owner() throws Exception {
    var other = People.stranger();
    var token = People.pat(owner.token(), null);
    refused(
        overtaken(REVOKE, owner.email(), () -> makeOwner(token, other)), 401, "UNAUTHENTICATED");
    assertNoMember(other);
  }

  /** A sign-up holds the address for a moment. */
  @Test
  void a_token_that_is_revoked_while_it_waits_for_the_address_makes_no_owner() throws Exception {
    var other = People.stranger();
    var token = People.pat(owner.token(), null);
    refused(
        HeldLock.during(() -> makeOwner(token, other), this::revoke, HeldLock.NAME, other.email())
            .then(),
        401,
        "UNAUTHENTICATED");
    assertNoMember(other);
  }

  private void revoke() {
    People.revokeTokens(owner.email());
  }

  @Test
  void a_token_that_is_revoked_while_it_waits_for_the_name_makes_no_organization()
      throws Exception {
    var name = Api.unique("org");
    var token = People.pat(owner.token(), null);
    refused(
        HeldLock.during(
                () -> as(token).body(Map.of("name", name)).post("/api/orgs"),
                this::revoke,
                HeldLock.NAME,
                "organization " + name)
            .then(),
        401,
        "UNAUTHENTICATED");
    admin().get("/api/orgs/" + name).then().statusCode(404);
  }

  @Test
  void a_token_that_is_revoked_while_it_waits_for_the_search_index_changes_no_settings()
      throws Exception {
    var path = Api.newRepository("private");
    var admin = People.member(path.split("/", -1)[3], "admin");
    var token = People.pat(admin.token(), null);
    var settings = Map.of("settings", Map.of("search", Map.of("language", "english")));
    refused(
        HeldLock.during(
                () -> as(token).body(settings).patch(path),
                () -> People.revokeTokens(admin.email()),
                "select from search_index where repo_id = ? for no key update",
                Api.repoId(path))
            .then(),
        401,
        "UNAUTHENTICATED");
    admin().get(path).then().body("settings.search.language", not(is("english")));
  }

  private String repository(String name) {
    admin().body(Map.of("name", name)).post("/api/orgs/" + org + "/repos").then().statusCode(201);
    return "/api/repos/" + org + "/" + name;
  }

  /** Another organization, which the owner has founded, with a repository {@code repo}. */
  private String organizationOfOwner() {
    var name = Api.unique("org");
    as(owner.token()).body(Map.of("name", name)).post("/api/orgs").then().statusCode(201);
    as(owner.token())
        .body(Map.of("name", "repo"))
        .post("/api/orgs/" + name + "/repos")
        .then()
        .statusCode(201);
    return name;
  }

  /** A retry holds the repository for a moment. */
  @Test
  void a_token_that_is_revoked_while_it_waits_for_the_repository_deletes_nothing()
      throws Exception {
    var path = repository("repo");
    var token = People.pat(owner.token(), null);
    refused(
        HeldLock.during(
                () -> as(token).delete(path),
                this::revoke,
                "select from repository where id = ? for share",
                Api.repoId(path))
            .then(),
        401,
        "UNAUTHENTICATED");
    admin().get(path).then().statusCode(200);
  }

  /** A service token that is minted holds the member, and Hibernate writes the role at the end. */
  @Test
  void a_token_that_is_revoked_while_it_waits_for_the_member_changes_no_role() throws Exception {
    var other = People.member(org, "viewer");
    var token = People.pat(owner.token(), null);
    refused(
        HeldLock.during(
                () -> makeOwner(token, other),
                this::revoke,
                """
                select from member where account_id = (select id from account where email = ?)
                for share
                """,
                other.email())
            .then(),
        401,
        "UNAUTHENTICATED");
    admin()
        .get("/api/orgs/" + org + "/members")
        .then()
        .body("items.find { it.email == '" + other.email() + "' }.role", is("viewer"));
  }

  @Test
  void no_settings_are_changed_once_archiving_was_answered() throws Exception {
    var path = repository("repo");
    refused(
        overtaken(
            ARCHIVE, org, () -> as(owner.token()).body(Map.of("description", "x")).patch(path)),
        409,
        "ARCHIVED");
  }

  @Test
  void a_token_whose_session_was_just_ended_makes_no_owner() throws Exception {
    var other = People.stranger();
    refused(
        overtaken(SIGN_OUT, owner.email(), () -> makeOwner(owner.token(), other)),
        401,
        "UNAUTHENTICATED");
    assertNoMember(other);
  }

  @Test
  void no_member_is_added_after_archiving() throws Exception {
    var other = People.stranger();
    refused(overtaken(ARCHIVE, org, () -> makeOwner(owner.token(), other)), 409, "ARCHIVED");
    assertNoMember(other);
  }

  @Test
  void no_repository_is_created_after_archiving() throws Exception {
    var repositories = "/api/orgs/" + org + "/repos";
    refused(
        overtaken(
            ARCHIVE, org, () -> as(owner.token()).body(Map.of("name", "r")).post(repositories)),
        409,
        "ARCHIVED");
    admin().get(repositories).then().body("items", empty());
  }

  @Test
  void a_demoted_owner_changes_no_organization() throws Exception {
    var path = "/api/orgs/" + org;
    for (var change : List.of(Map.of("description", "Mine."), Map.of("archived", true))) {
      refused(
          overtaken(DEMOTE, owner.email(), () -> as(owner.token()).body(change).patch(path)),
          403,
          "FORBIDDEN");
      admin().body(Map.of("role", "owner")).put(member(owner)).then().statusCode(200);
    }
    admin().get(path).then().body("description", nullValue()).body("archivedAt", nullValue());
  }

  @Test
  void a_removed_member_gets_no_export() throws Exception {
    var export = repository("repo") + "/export?prefer=async";
    refused(
        overtaken(
            LOCK_EXPORTS,
            connection -> OwnConnections.execute(connection, REMOVE, owner.email()),
            () -> as(owner.token()).get(export)),
        404,
        "NOT_FOUND");
  }

  @Test
  void a_demoted_owner_changes_and_deletes_no_repository() throws Exception {
    var path = repository("repo");
    List<Supplier<Response>> requests =
        List.of(
            () -> as(owner.token()).body(Map.of("description", "Mine.")).patch(path),
            () -> as(owner.token()).body(Map.of("visibility", "public")).patch(path),
            () -> as(owner.token()).delete(path));
    for (var request : requests) {
      refused(overtakenAtTheRepository(request), 403, "FORBIDDEN");
      admin().body(Map.of("role", "owner")).put(member(owner)).then().statusCode(200);
    }
    admin()
        .get(path)
        .then()
        .statusCode(200)
        .body("visibility", is("private"))
        .body("description", nullValue());
  }

  /** The answer to a request that waits for the repository until its sender is demoted. */
  private ValidatableResponse overtakenAtTheRepository(Supplier<Response> request)
      throws Exception {
    return overtaken(LOCK_REPOSITORIES, DEMOTE, owner.email(), request);
  }

  @Test
  void the_new_owner_of_a_former_organization_name_changes_nothing_in_the_renamed_one()
      throws Exception {
    var path = repository("repo");
    Prepared.commit(path, "{'operation':'add','kind':'shape','name':'S','data':{'fields':{}}}");
    admin().body(webhook("before")).post(path + "/subs").then().statusCode(201);
    var mine = organizationOfOwner();
    List<Supplier<Response>> requests =
        List.of(
            () -> as(owner.token()).body(Map.of("description", "Mine.")).patch(path),
            () -> as(owner.token()).body(Map.of("visibility", "public")).patch(path),
            () -> as(owner.token()).body(webhook("after")).post(path + "/subs"),
            () -> as(owner.token()).post(path + "/subs/before/pause"),
            () -> as(owner.token()).delete(path));
    for (var request : requests) {
      refused(overtaken(LOCK_REPOSITORIES, takeNames(mine), request), 404, "NOT_FOUND");
      giveNamesBack(mine);
    }
    admin()
        .get(path)
        .then()
        .statusCode(200)
        .body("visibility", is("private"))
        .body("description", nullValue());
    admin()
        .get(path + "/subs")
        .then()
        .body("name", contains("before"))
        .body("active", contains(true));
  }

  private static String webhook(String name) {
    return "{'name':'%s','kind':'webhook','shapeName':'S','filterJson':{},'webhookUrl':'%s'}"
        .formatted(name, "http://127.0.0.1:9/hook")
        .replace('\'', '"');
  }

  /**
   * Removes the owner, renames the organization, and gives its former name to another organization
   * of the owner's.
   */
  private Change takeNames(String other) {
    return connection -> {
      OwnConnections.execute(
          connection,
          """
          delete from member where org_id = (select id from organization where name = ?)
            and account_id = (select id from account where email = ?)
          """,
          org,
          owner.email());
      rename(connection, org, org + "-renamed");
      rename(connection, other, org);
    };
  }

  private void giveNamesBack(String other) throws SQLException {
    try (var connection = dataSource.getConnection()) {
      rename(connection, org, other);
      rename(connection, org + "-renamed", org);
    }
    admin().body(Map.of("role", "owner")).put(member(owner)).then().statusCode(200);
  }

  private static void rename(Connection connection, String from, String to) throws SQLException {
    OwnConnections.execute(connection, "update organization set name = ? where name = ?", to, from);
  }
}
