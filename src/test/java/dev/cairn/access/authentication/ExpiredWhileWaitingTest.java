package dev.cairn.access.authentication;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HeldLock;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.People;
import dev.cairn.Prepared;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/access.md, Order of checks: an access token that expires while its request waits. */
@HttpTest
@QuarkusTest
@InProcess("It issues tokens that are about to expire.")
class ExpiredWhileWaitingTest {
  private static final String ISSUER = "http://localhost:8080";
  private static final Duration LEFT = Duration.ofSeconds(3);
  private static final int UNAUTHENTICATED = 401;

  @Inject Accounts accounts;
  @Inject AccessTokens tokens;

  private String repository;
  private String org;
  private Account account;
  private String token;

  @BeforeEach
  void aToken() {
    repository = Api.newRepository("private");
    org = repository.split("/", -1)[3];
    Prepared.commit(
        repository, "{'operation':'add','kind':'shape','name':'S','data':{'fields':{}}}");
    account = accounts.create(Api.unique("t") + "@example.org", "Owner", "the hash of a password");
    admin()
        .body(Map.of("role", "owner"))
        .put("/api/orgs/" + org + "/members/" + account.email)
        .then()
        .statusCode(200);
    token =
        AccountRows.accessToken(
            tokens, account, ISSUER, Instant.now().minus(AccessTokens.LIFETIME).plus(LEFT));
  }

  private void assertRefused(Supplier<Response> request, String lock, Object parameter)
      throws Exception {
    HeldLock.during(
            request,
            () ->
                Eventually.await(
                    "the token expires",
                    () -> as(token).get("/api/whoami").statusCode() == UNAUTHENTICATED),
            lock,
            parameter)
        .then()
        .statusCode(UNAUTHENTICATED)
        .body("code", is("UNAUTHENTICATED"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void commits_nothing(String dryRun) throws Exception {
    var body =
        "{'dryRun':%s,'operations':[{'operation':'add','name':'S/a','data':{}}]}"
            .formatted(dryRun)
            .replace('\'', '"');
    assertRefused(
        () -> as(token).body(body).post(repository + "/commits"),
        HeldLock.HEAD,
        Api.repoId(repository));
    admin().get(repository + "/things/S/a").then().statusCode(404);
  }

  @Test
  void changes_no_subscription() throws Exception {
    var body =
        """
        {"name":"w","kind":"webhook","shapeName":"S","filterJson":{},"webhookUrl":"http://127.0.0.1:9/"}
        """;
    assertRefused(
        () -> as(token).body(body).post(repository + "/subs"),
        HeldLock.HEAD,
        Api.repoId(repository));
    admin().get(repository + "/subs/w").then().statusCode(404);
  }

  @Test
  void makes_no_owner() throws Exception {
    var other = People.stranger();
    var member = "/api/orgs/" + org + "/members/" + other.inPath();
    assertRefused(
        () -> as(token).body(Map.of("role", "owner")).put(member),
        "select from organization where name = ? for update",
        org);
    admin().delete(member).then().statusCode(404);
  }

  @Test
  void makes_no_organization() throws Exception {
    var name = Api.unique("org");
    assertRefused(
        () -> as(token).body(Map.of("name", name)).post("/api/orgs"),
        HeldLock.NAME,
        "organization " + name);
    admin().get("/api/orgs/" + name).then().statusCode(404);
  }

  @Test
  void makes_no_personal_access_token() throws Exception {
    assertRefused(
        () -> as(token).body(Map.of("name", "late")).post("/api/pats"),
        "select from account where email = ? for update",
        account.email);
    assertEquals(0, AccountRows.count("personal_access_token", account.id));
  }
}
