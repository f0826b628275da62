package dev.cairn.oauth;

import static io.restassured.RestAssured.given;

import dev.cairn.Api;
import dev.cairn.access.authentication.AccountRows;
import io.restassured.RestAssured;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The steps of the flows, as the tests take them again and again. */
public final class Flow {
  static final String PASSWORD = "a good long password";
  static final String REDIRECT = "http://127.0.0.1:5555/callback";

  /** The pair of RFC 7636, appendix B. */
  static final String VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

  static final String CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
  static final String DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

  private Flow() {}

  static String base() {
    return "http://localhost:" + RestAssured.port;
  }

  /** A new account; answers its address. */
  public static String newAccount() {
    var email = Api.unique("oauth") + "@example.org";
    AccountRows.insert(email, "Ann Example", PASSWORD);
    return email;
  }

  /** Registers a client. */
  static ValidatableResponse register(Map<String, ?> metadata) {
    return Api.anonymous().body(metadata).post("/oauth/register").then();
  }

  /** A new client; answers its id. */
  static String register(String name, String... redirectUris) {
    return register(Map.of("client_name", name, "redirect_uris", List.of(redirectUris)))
        .statusCode(201)
        .extract()
        .path("client_id");
  }

  /** A request of the command line that is as it must be; may be changed. */
  static Map<String, String> ask() {
    return new LinkedHashMap<>(
        Map.of(
            "response_type",
            "code",
            "client_id",
            "cairn-cli",
            "redirect_uri",
            REDIRECT,
            "code_challenge",
            CHALLENGE,
            "code_challenge_method",
            "S256",
            "state",
            "the state"));
  }

  /** The same with one parameter changed, or without it where the value is null. */
  static Map<String, String> askWith(String name, String value) {
    var ask = ask();
    if (value == null) {
      ask.remove(name);
    } else {
      ask.put(name, value);
    }
    return ask;
  }

  static String url(Map<String, String> ask) {
    return "/oauth/authorize?" + Web.encoded(ask);
  }

  /** The code for an authorization request, given by its URL, to which a new account agrees. */
  public static String codeOf(String url) {
    return allow(Web.signedIn(), url).get("code");
  }

  /** Asks and agrees; answers the parameters that the client gets. */
  static Map<String, String> allow(Web web, Map<String, String> ask) {
    return allow(web, url(ask));
  }

  private static Map<String, String> allow(Web web, String url) {
    var page = web.get(url);
    page.then().statusCode(200);
    return Web.query(Web.location(web.submit(page, Map.of("decision", "allow"))));
  }

  /** A new code for a request. */
  static String code(Map<String, String> ask) {
    return allow(Web.signedIn(), ask).get("code");
  }

  /** The access token of a program that registered itself, to which an account agreed. */
  public static String programToken(String email) {
    var id = register("Garden Planner", REDIRECT);
    var exchange = exchange(allow(Web.signedIn(email), askWith("client_id", id)).get("code"));
    exchange.put("client_id", id);
    return token(exchange).statusCode(200).extract().path("access_token");
  }

  /** The token request for a code of {@link #ask()}; may be changed. */
  static Map<String, String> exchange(String code) {
    return new LinkedHashMap<>(
        Map.of(
            "grant_type",
            "authorization_code",
            "client_id",
            "cairn-cli",
            "code",
            code,
            "redirect_uri",
            REDIRECT,
            "code_verifier",
            VERIFIER));
  }

  static Map<String, String> refresh(String token) {
    return new LinkedHashMap<>(
        Map.of("grant_type", "refresh_token", "client_id", "cairn-cli", "refresh_token", token));
  }

  static ValidatableResponse token(Map<String, String> form) {
    return post("/oauth/token", form);
  }

  static ValidatableResponse post(String path, Map<String, String> form) {
    return given()
        .contentType("application/x-www-form-urlencoded")
        .body(Web.encoded(form))
        .post(path)
        .then();
  }

  /** Tokens for a request. */
  static Response tokens(Map<String, String> ask) {
    return token(exchange(code(ask))).statusCode(200).extract().response();
  }

  static void assertRefused(ValidatableResponse response, int status, String error) {
    response
        .statusCode(status)
        .contentType("application/json")
        .header("Cache-Control", "no-store")
        .body("error", org.hamcrest.Matchers.is(error));
  }

  /** Connects the device that shows this code, as somebody who signs in for it. */
  public static void approveDevice(String email, String userCode) {
    var web = Web.signedIn(email);
    var page = web.submit(web.get("/device"), Map.of("user_code", userCode));
    web.submit(page, Map.of("decision", "allow")).then().statusCode(200);
  }

  /** The claims of an access token. */
  public static JsonPath claims(String token) {
    var part = token.split("\\.", -1)[1];
    return JsonPath.from(new String(Base64.getUrlDecoder().decode(part), StandardCharsets.UTF_8));
  }
}
