package dev.cairn.oauth;

import static dev.cairn.Api.anonymous;
import static dev.cairn.oauth.Flow.assertRefused;
import static dev.cairn.oauth.Flow.register;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** OAuth: clients that register themselves. */
@HttpTest
@QuarkusTest
class RegistrationTest {
  private static ValidatableResponse named(String name) {
    return register(Map.of("client_name", name, "redirect_uris", List.of("https://a.example/")));
  }

  private static ValidatableResponse uris(List<String> uris) {
    return register(Map.of("client_name", "A client", "redirect_uris", uris));
  }

  @Test
  void a_client_gets_an_id_and_hears_what_holds_for_it() {
    register(
            Map.of(
                "client_name",
                "Garden Planner",
                "redirect_uris",
                List.of("https://garden.example/cb", "http://localhost/cb", "org.garden:/cb"),
                "token_endpoint_auth_method",
                "client_secret_basic",
                "software_id",
                "ignored"))
        .statusCode(201)
        .header("Cache-Control", "no-store")
        .body("client_id", matchesPattern("[0-9a-f-]{36}"))
        .body("client_name", is("Garden Planner"))
        .body(
            "redirect_uris",
            contains("https://garden.example/cb", "http://localhost/cb", "org.garden:/cb"))
        .body("token_endpoint_auth_method", is("none"))
        .body("client_secret", nullValue())
        .body("response_types", contains("code"))
        .body(
            "grant_types",
            containsInAnyOrder("authorization_code", "refresh_token", Flow.DEVICE_GRANT));
  }

  @ParameterizedTest
  @FieldSource("dev.cairn.oauth.ClientClaims#ALLOWED_URIS")
  void redirect_uris_are_https_loopback_or_an_own_scheme(String uri) {
    uris(List.of(uri)).statusCode(201);
  }

  @ParameterizedTest
  @FieldSource("dev.cairn.oauth.ClientClaims#REFUSED_URIS")
  void other_redirect_uris_are_refused(String uri) {
    assertRefused(uris(List.of(uri)), 400, "invalid_redirect_uri");
    assertRefused(uris(List.of("https://a.example/", uri)), 400, "invalid_redirect_uri");
  }

  @Test
  void there_are_one_to_twenty_redirect_uris_of_at_most_2000_characters_together() {
    var many = IntStream.range(0, 21).mapToObj(i -> "https://a.example/" + i).toList();
    uris(many.subList(0, 20)).statusCode(201);
    assertRefused(uris(many), 400, "invalid_redirect_uri");
    assertRefused(uris(List.of()), 400, "invalid_redirect_uri");
    assertRefused(register(Map.of("client_name", "None")), 400, "invalid_redirect_uri");
    uris(List.of("https://a.example/" + "x".repeat(1_982))).statusCode(201);
    assertRefused(
        uris(List.of("https://a.example/" + "x".repeat(1_983))), 400, "invalid_redirect_uri");
    var half = "https://a.example/" + "x".repeat(981);
    uris(List.of(half, half + "y")).statusCode(201);
    assertRefused(uris(List.of(half + "y", half + "yz")), 400, "invalid_redirect_uri");
  }

  @Test
  void a_client_for_devices_alone_needs_no_redirect_uri() {
    String id =
        register(Map.of("client_name", "Sensor box", "grant_types", List.of(Flow.DEVICE_GRANT)))
            .statusCode(201)
            .body("redirect_uris", nullValue())
            .extract()
            .path("client_id");
    Flow.post("/oauth/device_authorization", Map.of("client_id", id)).statusCode(200);
    new Web()
        .get(Flow.url(Flow.askWith("client_id", id)))
        .then()
        .statusCode(400)
        .body(containsString("redirect_uri"));
  }

  @Test
  void a_name_has_1_to_80_visible_characters() {
    named("x".repeat(80)).statusCode(201);
    named("Ünïcödé 名前 🌱").statusCode(201);
    for (var name :
        new String[] {"x".repeat(81), " x", "a\nb", "a\tb", "abc\u202Efdp", "\u200B", "a\u0000b"}) {
      assertRefused(named(name), 400, "invalid_client_metadata");
    }
  }

  @ParameterizedTest
  @FieldSource("dev.cairn.oauth.ClientClaims#OWN_NAMES")
  void a_name_that_passes_for_one_of_cairns_own_is_refused(String name) {
    assertRefused(named(name), 400, "invalid_client_metadata");
  }

  @ParameterizedTest
  @FieldSource("dev.cairn.oauth.ClientClaims#DISGUISES")
  void a_name_that_is_a_disguise_is_refused(String name) {
    assertRefused(named(name), 400, "invalid_client_metadata");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u041f\u0440\u0438\u0432\u0435\u0442 7",
        "\u0393\u03b5\u03b9\u03b1",
        "Tokyo \u6771\u4eac \u30c8\u3068",
        "Seoul \uc11c\uc6b8",
        "Vi\u1ec7t S\u01a1n",
        "\u0218tefan",
        "GRO\u1e9e & \u0141\u00f3d\u017a",
        "Deploy \ud83d\ude80 \u2122"
      })
  void a_name_in_another_script_or_with_ideographs_is_accepted(String name) {
    named(name).statusCode(201).body("client_name", is(name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Calm", "Carina", "Claim manager", "Claude Code", "Corn", "Cain", "Arin"})
  void a_name_that_only_resembles_it_is_accepted(String name) {
    named(name).statusCode(201).body("client_name", is(name));
  }

  @Test
  void a_client_without_a_name_is_called_by_its_host() {
    register(Map.of("redirect_uris", List.of("https://a.example/cb")))
        .statusCode(201)
        .body("client_name", is("a.example"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"com.evil.app://Cairn-CLI/cb", "https://cairn.example/cb"})
  void a_host_that_passes_for_cairns_own_name_is_no_name(String uri) {
    register(Map.of("redirect_uris", List.of(uri)))
        .statusCode(201)
        .body("client_name", is("A program without a name"));
  }

  @Test
  void other_grants_and_response_types_are_refused() {
    for (var more :
        List.of(
            Map.entry("grant_types", List.of("password")),
            Map.entry("grant_types", List.of("authorization_code", "client_credentials")),
            Map.entry("response_types", List.of("token")))) {
      assertRefused(
          register(
              Map.of(
                  "redirect_uris", List.of("https://a.example/"), more.getKey(), more.getValue())),
          400,
          "invalid_client_metadata");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "null",
        "7",
        "{",
        "{\"redirect_uris\":7}",
        "{\"redirect_uris\":[7]}",
        "{\"redirect_uris\":[null]}",
        "{\"redirect_uris\":[\"https://a\\u0000/\"]}",
        "{\"redirect_uris\":[\"https://a\\u0085\\\"/\"]}",
        "{\"redirect_uris\":{\"a\":1}}",
        "{\"redirect_uris\":[\"https://a.example/\"],\"client_name\":7}",
        "{\"redirect_uris\":[\"https://a.example/\"],\"grant_types\":\"x\"}",
        "{\"redirect_uris\":[\"https://a.example/\"],\"grant_types\":[{}]}",
        "{\"redirect_uris\":[\"https://a.example/\"],\"jwks\":7}",
        "{\"redirect_uris\":[\"https://a.example/\"],\"jwks\":{\"keys\":[{\"kty\":\"EC\"}]}}",
        "{\"redirect_uris\":[\"https://a.example/\"],\"software_statement\":\"x.y.z\"}",
        "{\"redirect_uris\":[\"https://a.example/\"],\"logo_uri\":\"javascript:alert(1)\"}",
        "{\"redirect_uris\":[\"https://a.example/\"],\"contacts\":[[]]}",
        "{\"redirect_uris\":[\"https://a.example/\"],\"scope\":[1]}"
      })
  void hostile_metadata_get_an_oauth_error_and_never_a_fault(String body) {
    var response = anonymous().body(body).post("/oauth/register");
    assertTrue(
        response.statusCode() == 201
            || (response.statusCode() == 400 && response.path("error") instanceof String),
        response.statusCode() + " " + response.asString());
  }

  @Test
  void metadata_have_as_many_values_as_other_bodies_and_few_that_are_used() {
    var uris = "\"redirect_uris\":[\"https://a.example/\"]";
    var many = "{%s,\"x\":[{}%s]}".formatted(uris, ",{}".repeat(12_000));
    assertRefused(anonymous().body(many).post("/oauth/register").then(), 413, "invalid_request");
    var grants = "\"refresh_token\"" + ",\"refresh_token\"".repeat(600);
    var used = "{%s,\"grant_types\":[%s]}".formatted(uris, grants);
    assertRefused(
        anonymous().body(used).post("/oauth/register").then(), 400, "invalid_client_metadata");
  }

  @Test
  void deep_or_large_metadata_are_refused() {
    var deep = anonymous().body("{\"x\":" + "[".repeat(2_000)).post("/oauth/register");
    assertRefused(deep.then(), 400, "invalid_client_metadata");
    var large = anonymous().body("{\"x\":\"" + "x".repeat(65_536) + "\"}").post("/oauth/register");
    assertRefused(large.then(), 413, "invalid_request");
  }
}
