package dev.cairn.access.authentication;

import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sign-in by an external issuer: the account that a token's claims make or find. */
@HttpTest
@QuarkusTest
@TestProfile(ExternalSignIn.External.class)
class ExternalAccountTest extends ExternalSignIn {
  private static final String OWNER = "admin@example.org";

  private static String owner() {
    return token("the-owner", OWNER, true);
  }

  private static String newOrg() {
    var org = Api.unique("external");
    as(owner()).body(Map.of("name", org)).post("/api/orgs").then().statusCode(201);
    return org;
  }

  private static void invite(String org, String email) {
    as(owner())
        .body(Map.of("role", "editor"))
        .put("/api/orgs/" + org + "/members/" + email.replace("@", "%40"))
        .then()
        .statusCode(200);
  }

  @Test
  void an_account_appears_at_first_sight_with_its_own_organization() {
    var subject = Api.unique("subject");
    var token = token(subject, subject + "@example.org", true);
    for (int i = 0; i < 2; i++) {
      as(token)
          .get("/api/whoami")
          .then()
          .statusCode(200)
          .body("kind", is("jwt"))
          .body("account.email", is(subject + "@example.org"))
          .body("account.displayName", is("Name of " + subject))
          .body("orgs.name", contains(subject))
          .body("orgs.role", contains("owner"));
    }
  }

  @Test
  void the_address_that_the_operator_named_is_the_first_owner() {
    as(owner())
        .get("/api/whoami")
        .then()
        .statusCode(200)
        .body("account.email", is(OWNER))
        .body("orgs.name", hasItem("demo"));
    refusedAsOwner(token("somebody-else", OWNER, true));
  }

  private static void refusedAsOwner(String token) {
    as(token)
        .get("/api/whoami")
        .then()
        .statusCode(200)
        .body("account.email", not(is(OWNER)))
        .body("orgs.name", not(hasItem("demo")));
  }

  @Test
  void issuer_and_subject_make_the_account_whatever_the_address() {
    var subject = Api.unique("subject");
    String first = whoami(token(subject, subject + "@one.example", true));
    String second = whoami(token(subject, subject + "@two.example", true));
    assertEquals(first, second);
  }

  private static String whoami(String token) {
    return as(token).get("/api/whoami").then().statusCode(200).extract().path("account.email");
  }

  @Test
  void a_verified_address_takes_up_its_invitations() {
    var org = newOrg();
    var email = Api.unique("invited") + "@example.org";
    invite(org, email);
    as(token(Api.unique("subject"), email, true))
        .get("/api/orgs/" + org)
        .then()
        .statusCode(200)
        .body("role", is("editor"));
  }

  @Test
  void an_address_that_is_not_verified_takes_up_none() {
    var org = newOrg();
    var email = Api.unique("invited") + "@example.org";
    invite(org, email);
    for (Object verified : List.of(false, "no", "true", List.of(true))) {
      var token = token(Api.unique("subject"), email, verified);
      as(token).get("/api/whoami").then().statusCode(200).body("account.email", not(is(email)));
      as(token).get("/api/orgs/" + org).then().statusCode(404);
    }
  }

  @Test
  void an_address_that_looks_like_an_invited_one_takes_up_none() {
    var org = newOrg();
    var local = Api.unique("kate");
    invite(org, local + "@example.org");
    for (var alike : List.of(local.replace('k', '\u212A'), "\u200B" + local, local + "\u00A0")) {
      var token = token(Api.unique("subject"), alike + "@example.org", true);
      as(token).get("/api/orgs/" + org).then().statusCode(404);
    }
    var token = token(Api.unique("subject"), local.toUpperCase(Locale.ROOT) + "@example.org", true);
    as(token).get("/api/orgs/" + org).then().statusCode(200);
  }

  @Test
  void a_subject_has_up_to_255_characters() {
    as(token(Api.unique("s") + "x".repeat(240))).get("/api/whoami").then().statusCode(200);
    as(token(Api.unique("auth0|名前 ") + "y".repeat(200))).get("/api/whoami").then().statusCode(200);
  }

  static Stream<Object> noTexts() {
    return Stream.of(7, true, List.of("a"), Map.of("a", 1), "", "a\u0000b@example.org");
  }

  @ParameterizedTest
  @MethodSource("noTexts")
  void an_address_or_a_name_that_is_none_counts_as_left_out(Object claim) {
    var subject = Api.unique("subject");
    var claims = claims(subject);
    for (var name : List.of("email", "name", "preferred_username")) {
      claims.setClaim(name, claim);
    }
    claims.setClaim("email_verified", true);
    as(TestIssuer.sign(claims, KEY))
        .get("/api/whoami")
        .then()
        .statusCode(200)
        .body("account.email", endsWith("@127.0.0.1"))
        .body(
            "account.displayName",
            is(claim.toString().contains("@") ? "a b@example.org" : subject));
  }

  @Test
  void a_display_name_stands_on_one_line_and_is_never_empty() {
    assertDisplayName("Ann\r\nExample\u2028 \u0085the\tFirst ", "Ann Example the First");
    assertDisplayName("می\u200Cخواهم", "می\u200Cخواهم");
    assertDisplayName("😀".repeat(201), "😀".repeat(200));
    assertDisplayName("\n \u200B", null);
  }

  /** What a claim {@code name} becomes; null for the subject. */
  private static void assertDisplayName(String name, String expected) {
    var subject = Api.unique("subject");
    var claims = claims(subject);
    claims.setClaim("name", name);
    as(TestIssuer.sign(claims, KEY))
        .get("/api/whoami")
        .then()
        .statusCode(200)
        .body("account.displayName", is(expected == null ? subject : expected));
  }
}
