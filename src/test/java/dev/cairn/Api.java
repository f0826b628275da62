package dev.cairn;

import static io.restassured.RestAssured.given;

import dev.cairn.platform.database.OwnConnections;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What the HTTP tests say again and again: who calls, and a repository of one's own. */
public final class Api {
  private static final AtomicInteger COUNTER = new AtomicInteger();

  /** By the database: where its settings differ, the service is started again on another one. */
  private static final ConcurrentMap<String, String> ADMIN_TOKENS = new ConcurrentHashMap<>();

  private Api() {}

  /** The administrator's access token. */
  public static String adminToken() {
    return ADMIN_TOKENS.computeIfAbsent(
        OwnConnections.url(), _ -> token(TestDatabase.ADMIN_EMAIL, TestDatabase.ADMIN_PASSWORD));
  }

  /** An access token of an account. */
  public static String token(String email, String password) {
    return Prepared.answer(
            200, null, "POST", "/api/auth/login", Map.of("email", email, "password", password))
        .path("accessToken")
        .textValue();
  }

  /** The answer to a sign-in by password. */
  public static ValidatableResponse login(String email, String password) {
    return anonymous()
        .body(Map.of("email", email, "password", password))
        .post("/api/auth/login")
        .then();
  }

  /** A request of the administrator. */
  public static RequestSpecification admin() {
    return as(adminToken());
  }

  /** A request with a token. */
  public static RequestSpecification as(String token) {
    return anonymous().header("Authorization", "Bearer " + token);
  }

  /** A request without credentials. */
  public static RequestSpecification anonymous() {
    return given().contentType(ContentType.JSON).urlEncodingEnabled(false);
  }

  /** A name that no other test uses. */
  public static String unique(String prefix) {
    return prefix + "-" + COUNTER.incrementAndGet();
  }

  /** The id of the repository of a path. */
  public static UUID repoId(String repository) {
    var names = repository.split("/", -1);
    return OwnConnections.database()
        .first(
            """
            select r.id from repository r join organization o on o.id = r.org_id
            where o.name = ? and r.name = ?
            """,
            row -> row.getObject(1, UUID.class),
            names[3],
            names[4])
        .orElseThrow();
  }

  /** The id of the organization of a repository. */
  public static UUID orgId(UUID repoId) {
    return OwnConnections.database()
        .first(
            "select org_id from repository where id = ?",
            row -> row.getObject(1, UUID.class),
            repoId)
        .orElseThrow();
  }

  /** Changes the password of the account that a token is of. */
  public static Response changePassword(String token, String current, String next) {
    return as(token)
        .body(Map.of("currentPassword", current, "newPassword", next))
        .post("/api/auth/password");
  }

  /** A new organization of the administrator; answers its name. */
  public static String newOrg() {
    var name = unique("org");
    Prepared.answer(201, adminToken(), "POST", "/api/orgs", Map.of("name", name));
    return name;
  }

  /** A new public repository; answers its path, {@code /api/repos/org/repo}. */
  public static String newRepository() {
    return newRepository("public");
  }

  /** A new repository; answers its path, {@code /api/repos/org/repo}. */
  public static String newRepository(String visibility) {
    var org = newOrg();
    Prepared.answer(
        201,
        adminToken(),
        "POST",
        "/api/orgs/" + org + "/repos",
        Map.of("name", "repo", "visibility", visibility));
    return "/api/repos/" + org + "/repo";
  }

  /** A new public repository of things {@code S/0}, {@code S/1} …, each with so long a text. */
  public static String repositoryOf(int things, int length) {
    var repository = newRepository();
    var data = "{'text':'" + "x".repeat(length) + "'}";
    Prepared.commit(
        repository,
        "{'operation':'add','kind':'shape','name':'S','data':{'fields':{}}},"
            + IntStream.range(0, things)
                .mapToObj(i -> "{'operation':'add','name':'S/" + i + "','data':" + data + "}")
                .collect(Collectors.joining(",")));
    return repository;
  }

  /** Commits operations, given as the elements of a JSON array, with ' for ". */
  public static ValidatableResponse commit(String repository, String operations) {
    return submit(repository, "{'operations':[" + operations + "]}");
  }

  /** Sends a commit's whole body, with ' for ". */
  public static ValidatableResponse submit(String repository, String body) {
    return admin().body(body.replace('\'', '"')).post(repository + "/commits").then();
  }
}
