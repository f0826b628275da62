package dev.cairn.access.token;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;

import dev.cairn.Api;
import dev.cairn.Prepared;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Everything that takes or gives a secret, done once, also wrongly: what was secret in it, and all
 * that the service answered.
 */
final class SecretFlows {
  private static final String SHAPE =
      "{'operation':'add','kind':'shape','name':'S','data':{'fields':{'n':'number','to?':'wref'}}}";

  private final List<String> secrets = new ArrayList<>();
  private final List<String> answers = new ArrayList<>();
  private final String email = Api.unique("secretive") + "@example.org";
  private final String password = secret("pw-" + UUID.randomUUID());
  private String accessToken;
  private String refreshToken;

  /** What must not be seen, of each token the part that makes it good. */
  List<String> secrets() {
    return secrets;
  }

  /** Status, headers and body of each answer, without the secrets that this very one gives out. */
  List<String> answers() {
    return answers;
  }

  void run() {
    passwords();
    refreshTokens();
    personalAccessTokens();
    credentialSets();
    for (var token : List.of(accessToken, refreshToken, pat("misplaced"))) {
      inUris(token);
      inBodies(token);
      inHeaders(token);
      inCommits(token);
    }
  }

  private String secret(String text) {
    secrets.add(text);
    return text;
  }

  private Response seen(Response answer, String... givenOut) {
    var body = answer.asString();
    for (var given : givenOut) {
      body = body.replace(given, "");
    }
    answers.add(answer.statusLine() + "\n" + answer.getHeaders() + "\n" + body);
    return answer;
  }

  private Response login(String email, String password) {
    return anonymous().body(Map.of("email", email, "password", password)).post("/api/auth/login");
  }

  private void takeTokens(Response answer) {
    accessToken = answer.then().statusCode(200).extract().path("accessToken");
    refreshToken = answer.path("refreshToken");
    secrets.add(accessToken.substring(accessToken.lastIndexOf('.') + 1));
    secrets.add(refreshToken.substring("cairn_refresh_".length()));
    seen(answer, accessToken, refreshToken);
  }

  private Response refresh(String token) {
    return anonymous().body(Map.of("refreshToken", token)).post("/api/auth/refresh");
  }

  private void passwords() {
    var account = Map.of("email", email, "password", password);
    seen(anonymous().body(account).post("/api/auth/signup")).then().statusCode(201);
    seen(anonymous().body(account).post("/api/auth/signup")).then().statusCode(409);
    seen(anonymous().body(Map.of("email", "x", "password", password)).post("/api/auth/signup"));
    seen(login(email, secret("wrong-" + UUID.randomUUID()))).then().statusCode(401);
    seen(login("nobody@example.org", password)).then().statusCode(401);
    seen(login(password, password)).then().statusCode(401);
    seen(anonymous().body("{\"email\":1,\"password\":\"" + password).post("/api/auth/login"));
    seen(anonymous().body(Map.of("email", email, "pass", password)).post("/api/auth/login"));
    seen(anonymous().body(List.of(password)).post("/api/auth/login"));
    seen(anonymous().body(account).post("/api/auth/login?password=" + password));
    seen(anonymous().auth().preemptive().basic(email, password).get("/api/whoami"));
    takeTokens(login(email, password));
  }

  private void refreshTokens() {
    var first = refreshToken;
    takeTokens(refresh(first));
    seen(anonymous().body(Map.of("refreshToken", accessToken)).post("/api/auth/logout"));
    seen(refresh(accessToken)).then().statusCode(401);
    seen(refresh(first)).then().statusCode(401);
    seen(refresh(refreshToken)).then().statusCode(401);
    seen(refresh(secret(UUID.randomUUID().toString()))).then().statusCode(401);
    takeTokens(login(email, password));
  }

  private String pat(String name) {
    var answer = as(accessToken).body(Map.of("name", name)).post("/api/pats");
    String token = answer.then().statusCode(201).extract().path("token");
    secrets.add(token.substring(TokenFormat.PERSONAL.prefix().length(), token.length() - 6));
    seen(answer, token);
    return token;
  }

  private void credentialSets() {
    var org = Api.unique("secretive");
    as(accessToken).body(Map.of("name", org)).post("/api/orgs").then().statusCode(201);
    var set = "/api/orgs/" + org + "/credential-sets/set";
    var value = secret("cv-" + UUID.randomUUID());
    var keys = Map.of("keys", Map.of("WEBHOOK_BEARER_TOKEN", value, "A", value));
    seen(as(accessToken).body(keys).put(set)).then().statusCode(200);
    seen(as(accessToken).get(set)).then().statusCode(200);
    seen(as(accessToken).get("/api/orgs/" + org + "/credential-sets"));
    for (var wrong :
        List.of(
            Map.of("keys", Map.of("WEBHOOK_SIGNING_SECRET", value)),
            Map.of("keys", Map.of("WEBHOOK_BEARER_TOKEN", value + " x")),
            Map.of("keys", Map.of("A", List.of(value))),
            Map.of("keys", List.of(value)),
            Map.of("keys", value))) {
      seen(as(accessToken).body(wrong).put(set)).then().statusCode(400);
    }
    seen(as(accessToken).body("{\"keys\":{\"A\":\"" + value).put(set)).then().statusCode(400);
    seen(as(accessToken).post(set + "/revoke")).then().statusCode(200);
    seen(as(accessToken).get("/api/orgs/" + org + "/audit")).then().statusCode(200);
  }

  private void personalAccessTokens() {
    var token = pat("used");
    seen(as(token).get("/api/whoami")).then().statusCode(200);
    seen(as(token).get("/api/pats")).then().statusCode(403);
    seen(as(accessToken).body(Map.of("name", "used")).post("/api/pats")).then().statusCode(409);
    seen(as(accessToken).get("/api/pats")).then().statusCode(200);
    seen(as(token + "x").get("/api/whoami")).then().statusCode(401);
    seen(as(token.substring(0, token.length() - 1)).get("/api/whoami")).then().statusCode(401);
    seen(as(accessToken).delete("/api/pats/used")).then().statusCode(200);
    seen(as(token).get("/api/whoami")).then().statusCode(401);
    seen(as(accessToken.substring(1)).get("/api/whoami")).then().statusCode(401);
  }

  private void inUris(String token) {
    for (var uri :
        List.of(
            "/%s",
            "/api/%s",
            "/api/orgs/%s",
            "/api/orgs/demo/members/%s",
            "/api/repos/%s/%s",
            "/api/repos/demo/%s",
            "/api/repos/demo/world/things/%s",
            "/api/repos/demo/world/things/Country/%s",
            "/api/repos/demo/world/about/Country/%s",
            "/api/repos/demo/world/shapes/%s",
            "/api/repos/demo/world/commits/%s",
            "/api/repos/demo/world/head?access_token=%s",
            "/api/repos/demo/world/head?%s=1",
            "/api/repos/demo/world/head?cursor=%s",
            "/api/repos/demo/world/head?limit=%s",
            "/api/repos/demo/world/head?shape=%s",
            "/api/repos/demo/world/head?kind=%s",
            "/api/repos/demo/world/head?match=%s",
            "/api/repos/demo/world/head?about=Country/%s",
            "/api/repos/demo/world/history?wref=%s",
            "/api/whoami?access_token=%s")) {
      var target = uri.replace("%s", token);
      seen(anonymous().get(target));
      seen(as(accessToken).get(target));
      seen(as("nonsense").get(target)).then().statusCode(401);
    }
    seen(as(accessToken).delete("/api/pats/" + token)).then().statusCode(404);
  }

  private void inBodies(String token) {
    for (var body :
        List.of(
            Map.of("name", token + "!"),
            Map.of("name", "x", token, 1),
            Map.of("name", "x", "expiresAt", token),
            Map.of("name", "x", "scopes", List.of(Map.of("resource", token))),
            Map.of(
                "name",
                "x",
                "scopes",
                List.of(Map.of("resource", "a/" + token, "permissions", List.of("repo:read")))),
            Map.of("name", "x", "scopes", List.of(Map.of("permissions", List.of(token)))))) {
      seen(as(accessToken).body(body).post("/api/pats")).then().statusCode(400);
      seen(as(accessToken).body(body).post("/api/orgs")).then().statusCode(400);
    }
    seen(as(accessToken).body(token).post("/api/orgs")).then().statusCode(400);
    seen(login(token, token));
    seen(anonymous().body(Map.of("email", token, "password", token)).post("/api/auth/signup"));
  }

  private void inHeaders(String token) {
    for (RequestSpecification request :
        List.of(
            anonymous().header("X-Api-Key", token),
            anonymous().header("Cookie", "session=" + token),
            anonymous().header("User-Agent", token),
            anonymous().header("Accept", token),
            anonymous().header("traceparent", token),
            anonymous().header("X-Forwarded-For", token),
            anonymous().header("If-None-Match", token),
            anonymous().header("Authorization", token),
            anonymous().header("Authorization", "Basic " + token),
            anonymous().header("Authorization", "Bearer " + token + " " + token))) {
      seen(request.get("/api/repos/demo/world/count"));
    }
  }

  private void inCommits(String token) {
    var repository = Api.newRepository("private");
    Prepared.commit(repository, SHAPE);
    for (var operation :
        List.of(
            "{'operation':'add','name':'S/a','data':{'n':'%s'}}",
            "{'operation':'add','name':'S/a','data':{'n':1,'to':'S/%s'}}",
            "{'operation':'add','name':'S/a','data':{'n':1,'to':'cairn:a/%s/S/x'}}",
            "{'operation':'add','name':'%s/a','data':{}}",
            "{'operation':'add','name':'S/a','about':'S/%s','data':{}}",
            "{'operation':'revise','name':'S/%s','data':{'n':1}}",
            "{'operation':'%s','name':'S/a'}",
            "{'operation':'add','%s':1}")) {
      var said = operation.replace("%s", token).replace('\'', '"');
      var atomic = "{\"operations\":[" + said + "]}";
      var partial = "{\"atomic\":false,\"operations\":[" + said + "]}";
      seen(admin().body(atomic).post(repository + "/commits"));
      seen(
          admin()
              .header("Idempotency-Key", UUID.randomUUID().toString())
              .body(partial)
              .post(repository + "/commits"));
    }
    seen(admin().body("{\"operations\":" + token).post(repository + "/commits"))
        .then()
        .statusCode(400);
  }
}
