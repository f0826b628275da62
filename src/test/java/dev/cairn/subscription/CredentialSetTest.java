package dev.cairn.subscription;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.People;
import dev.cairn.TestDatabase;
import dev.cairn.platform.database.Database;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code docs/credentials.md}. */
@HttpTest
@QuarkusTest
@InProcess("It opens what is sealed.")
class CredentialSetTest {
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  @Inject CredentialSets credentials;
  @Inject Database database;

  private String repository;
  private String organization;

  @BeforeEach
  void makeRepository() {
    repository = Api.newRepository("private");
    organization = "/api/orgs/" + Subs.named(repository).split("/", -1)[0];
  }

  private static ValidatableResponse put(String owner, String name, String body) {
    return admin().body(body.replace('\'', '"')).put(owner + "/credential-sets/" + name).then();
  }

  private Optional<Map<String, String>> open(String name) {
    var principal =
        database
            .first(
                "select id from account where email = ?",
                row -> row.getObject("id", UUID.class),
                TestDatabase.ADMIN_EMAIL)
            .orElseThrow();
    return credentials.open(Api.repoId(repository), name, principal);
  }

  @Test
  void a_set_is_made_changed_and_shown_without_its_values() {
    for (var owner : List.of(repository, organization)) {
      put(owner, "hooks", "{'description':'D','keys':{'B':'secret-b','A':'secret-a'}}")
          .statusCode(200)
          .body("name", equalTo("hooks"))
          .body("description", equalTo("D"))
          .body("keyNames", contains("A", "B"))
          .body("createdAt", notNullValue())
          .body("", not(hasKey("revokedAt")));
      put(owner, "hooks", "{'keys':{'B':null,'C':'secret-c'}}")
          .statusCode(200)
          .body("description", equalTo("D"))
          .body("keyNames", contains("A", "C"));
      put(owner, "hooks", "{'description':null}")
          .statusCode(200)
          .body("", not(hasKey("description")))
          .body("keyNames", contains("A", "C"));
      var single = admin().get(owner + "/credential-sets/hooks").then().statusCode(200);
      assertFalse(single.extract().asString().contains("secret"), "a value is shown");
      put(owner, "empty", "{}").statusCode(200).body("keyNames", empty());
      admin()
          .get(owner + "/credential-sets")
          .then()
          .statusCode(200)
          .body("name", contains("empty", "hooks"));
    }
  }

  @Test
  void calls_open_the_repositorys_set_before_the_organizations() {
    assertEquals(Optional.empty(), open("hooks"));
    put(organization, "hooks", "{'keys':{'A':'of the organization'}}").statusCode(200);
    assertEquals(Optional.of(Map.of("A", "of the organization")), open("hooks"));
    put(repository, "hooks", "{'keys':{'B':'of the repository ä'}}").statusCode(200);
    assertEquals(Optional.of(Map.of("B", "of the repository ä")), open("hooks"));
    admin().delete(repository + "/credential-sets/hooks").then().statusCode(200);
    assertEquals(Optional.of(Map.of("A", "of the organization")), open("hooks"));
  }

  @Test
  void to_put_the_organizations_set_in_place_of_the_repositorys_takes_what_binding_takes() {
    var configures = token("'repo:configure'");
    put(repository, "hooks", "{'keys':{'A':'of the repository'}}").statusCode(200);
    put(organization, "hooks", "{'keys':{'A':'of the organization'}}").statusCode(200);
    var set = repository + "/credential-sets/hooks";
    as(configures).delete(set).then().statusCode(403).body("detail", containsString("repo:read"));
    assertEquals(Optional.of(Map.of("A", "of the repository")), open("hooks"));
    as(token("'repo:read','repo:configure'")).delete(set).then().statusCode(200);

    put(repository, "alone", "{'keys':{'A':'a'}}").statusCode(200);
    as(configures).delete(repository + "/credential-sets/alone").then().statusCode(200);
  }

  private String token(String permissions) {
    return People.pat(
        Api.adminToken(),
        "{'resource':'%s','permissions':[%s]}".formatted(Subs.named(repository), permissions));
  }

  @Test
  void a_revoked_set_is_not_opened_and_takes_no_change() {
    put(organization, "hooks", "{'keys':{'A':'a'}}").statusCode(200);
    put(repository, "hooks", "{'keys':{'A':'a'}}").statusCode(200);
    for (int i = 0; i < 2; i++) {
      admin()
          .post(repository + "/credential-sets/hooks/revoke")
          .then()
          .statusCode(200)
          .body("revokedAt", notNullValue());
    }
    assertEquals(Optional.empty(), open("hooks"));
    put(repository, "hooks", "{'keys':{'A':'b'}}")
        .statusCode(409)
        .body("code", equalTo("CONFLICT"))
        .body("details.reason", equalTo("credential_set_revoked"));
    admin().get(repository + "/credential-sets").then().body("[0].revokedAt", notNullValue());
    admin()
        .delete(repository + "/credential-sets/hooks")
        .then()
        .statusCode(200)
        .body("ok", equalTo(true));
    put(repository, "hooks", "{'keys':{'A':'c'}}").statusCode(200);
    assertEquals(Optional.of(Map.of("A", "c")), open("hooks"));
  }

  @Test
  void an_unknown_set_is_not_found() {
    for (var owner : List.of(repository, organization)) {
      admin().get(owner + "/credential-sets/x").then().statusCode(404);
      admin().delete(owner + "/credential-sets/x").then().statusCode(404);
      admin().post(owner + "/credential-sets/x/revoke").then().statusCode(404);
    }
  }

  @Test
  void values_lie_sealed_in_the_database_and_open_nowhere_else() {
    put(repository, "a", "{'keys':{'A':'a-very-secret-text','B':'another'}}").statusCode(200);
    put(repository, "b", "{'keys':{'A':'x'}}").statusCode(200);
    var stored =
        database.list(
            """
            select k.sealed from credential_key k join credential_set c on c.id = k.set_id
            where c.repo_id = ?
            """,
            row -> new String(row.getBytes(1), StandardCharsets.ISO_8859_1),
            Api.repoId(repository));
    assertEquals(3, stored.size());
    assertTrue(stored.stream().noneMatch(text -> text.contains("secret")), "a value is in clear");
    database.update(
        """
        update credential_key k set sealed = (
          select o.sealed from credential_key o join credential_set c on c.id = o.set_id
          where c.repo_id = ? and c.name = 'a' and o.name = 'A')
        from credential_set c where c.id = k.set_id and c.repo_id = ? and c.name = 'b'
        """,
        Api.repoId(repository),
        Api.repoId(repository));
    assertEquals(Optional.empty(), open("b"));
    assertTrue(open("a").isPresent());
    database.update(
        """
        update credential_key k set sealed = (
          select o.sealed from credential_key o where o.set_id = k.set_id and o.name = 'A')
        from credential_set c
        where c.id = k.set_id and c.repo_id = ? and c.name = 'a' and k.name = 'B'
        """,
        Api.repoId(repository));
    assertEquals(Optional.empty(), open("a"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'key':{}}                                       | /key",
        "{'description':7}                                | /description",
        "{'keys':[]}                                      | /keys",
        "{'keys':{'a b':'x'}}                             | /keys/a b",
        "{'keys':{'1':'x'}}                               | /keys/1",
        "{'keys':{'A':''}}                                | /keys/A",
        "{'keys':{'A':7}}                                 | /keys/A",
        "{'keys':{'A':['x']}}                             | /keys/A",
        "{'keys':{'WEBHOOK_SIGNING_SECRET':'abc'}}        | /keys/WEBHOOK_SIGNING_SECRET",
        "{'keys':{'WEBHOOK_SIGNING_SECRET':'whsec_'}}     | /keys/WEBHOOK_SIGNING_SECRET",
        "{'keys':{'CLI_SIGNING_SECRET':'whsec_QUJD'}}     | /keys/CLI_SIGNING_SECRET",
        "{'keys':{'WEBHOOK_SIGNING_SECRET':'whsec_!!!'}}  | /keys/WEBHOOK_SIGNING_SECRET",
        "{'keys':{'WEBHOOK_SIGNING_SECRET':'whsec_QUJD'}} | /keys/WEBHOOK_SIGNING_SECRET",
        "{'keys':{'WEBHOOK_BEARER_TOKEN':'a b'}}          | /keys/WEBHOOK_BEARER_TOKEN",
        "{'keys':{'WEBHOOK_BEARER_TOKEN':'a\\r\\nX: y'}}  | /keys/WEBHOOK_BEARER_TOKEN",
        "{'keys':{'WEBHOOK_API_KEY':'ä'}}                 | /keys/WEBHOOK_API_KEY",
        "{'keys':{'WEBHOOK_API_KEY_HEADER':'X Key'}}      | /keys/WEBHOOK_API_KEY_HEADER",
        "{'keys':{'WEBHOOK_API_KEY_HEADER':'Host'}}       | /keys/WEBHOOK_API_KEY_HEADER",
        "{'keys':{'WEBHOOK_API_KEY_HEADER':'HTTP2-Settings'}} | /keys/WEBHOOK_API_KEY_HEADER",
        "{'keys':{'WEBHOOK_API_KEY_HEADER':'Upgrade'}}    | /keys/WEBHOOK_API_KEY_HEADER",
        "{'keys':{'WEBHOOK_API_KEY_HEADER':'TE'}}         | /keys/WEBHOOK_API_KEY_HEADER",
        "{'keys':{'WEBHOOK_API_KEY_HEADER':'Keep-Alive'}} | /keys/WEBHOOK_API_KEY_HEADER",
        "{'keys':{'WEBHOOK_API_KEY_HEADER':'Proxy-A'}}    | /keys/WEBHOOK_API_KEY_HEADER",
        "{'keys':{'WEBHOOK_API_KEY_HEADER':'webhook-id'}} | /keys/WEBHOOK_API_KEY_HEADER",
        "{'keys':{'WEBHOOK_API_KEY_HEADER':'X-Cairn-A'}}  | /keys/WEBHOOK_API_KEY_HEADER",
        "{'keys':{'WEBHOOK_BASIC_USERNAME':'a:b'}}        | /keys/WEBHOOK_BASIC_USERNAME",
        "{'keys':{'WEBHOOK_BASIC_PASSWORD':'a\\u0007'}}   | /keys/WEBHOOK_BASIC_PASSWORD",
      })
  void what_is_wrong_is_refused_with_its_place_and_without_its_value(String body, String pointer) {
    put(repository, "a", body)
        .statusCode(400)
        .body("code", equalTo("VALIDATION_ERROR"))
        .body("errors[0].pointer", equalTo(pointer));
    admin().get(repository + "/credential-sets").then().body("", hasSize(0));
  }

  @Test
  void a_refusal_never_repeats_the_value() {
    var answer =
        put(repository, "a", "{'keys':{'WEBHOOK_SIGNING_SECRET':'whsec_mysecretvalue!'}}")
            .statusCode(400)
            .extract()
            .asString();
    assertFalse(answer.contains("mysecret"), answer);
  }

  private static String secret(int bytes) {
    return "whsec_" + Base64.getEncoder().encodeToString(new byte[bytes]);
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 64})
  void a_signing_secret_has_16_to_64_bytes(int bytes) {
    put(repository, "a", "{'keys':{'WEBHOOK_SIGNING_SECRET':'" + secret(bytes) + "'}}")
        .statusCode(200);
    int beyond = bytes == 16 ? 15 : 65;
    put(repository, "a", "{'keys':{'WEBHOOK_SIGNING_SECRET':'" + secret(beyond) + "'}}")
        .statusCode(400);
  }

  @Test
  void several_signing_secrets_stand_beside_each_other() {
    var ten = String.join(" ", Collections.nCopies(10, SECRET));
    put(repository, "a", "{'keys':{'WEBHOOK_SIGNING_SECRET':'" + ten + "'}}").statusCode(200);
    assertEquals(Optional.of(Map.of("WEBHOOK_SIGNING_SECRET", ten)), open("a"));
    put(repository, "a", "{'keys':{'WEBHOOK_SIGNING_SECRET':'" + ten + " " + SECRET + "'}}")
        .statusCode(400);
    put(repository, "a", "{'keys':{'WEBHOOK_SIGNING_SECRET':'" + SECRET + "  " + SECRET + "'}}")
        .statusCode(400);
  }

  @Test
  void names_descriptions_and_values_have_lengths() {
    put(repository, "a".repeat(100), "{}").statusCode(200);
    put(repository, "a".repeat(101), "{}")
        .statusCode(400)
        .body("errors[0].pointer", equalTo("?name"));
    put(repository, "-a", "{}").statusCode(400);
    put(repository, "a", "{'description':'" + "d".repeat(500) + "'}").statusCode(200);
    put(repository, "a", "{'description':'" + "d".repeat(501) + "'}").statusCode(400);
    put(repository, "a", "{'keys':{'A':'" + "v".repeat(8_192) + "'}}").statusCode(200);
    put(repository, "a", "{'keys':{'A':'" + "v".repeat(8_193) + "'}}").statusCode(400);
    put(repository, "a", "{'keys':{'" + "K".repeat(100) + "':'v'}}").statusCode(200);
    put(repository, "a", "{'keys':{'" + "K".repeat(101) + "':'v'}}").statusCode(400);
  }

  private static String nulls(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "'N%d':null".formatted(i))
        .collect(Collectors.joining(",", "{'keys':{", "}}"));
  }

  @Test
  void a_set_has_at_most_50_keys_and_a_place_at_most_100_sets() {
    var keys = new StringBuilder();
    for (int i = 0; i < 50; i++) {
      keys.append(i == 0 ? "" : ",").append("'K").append(i).append("':'v'");
    }
    put(repository, "a", "{'keys':{" + keys + "}}").statusCode(200);
    put(repository, "a", "{'keys':{'L':'v'}}")
        .statusCode(400)
        .body("errors[0].pointer", equalTo("/keys"));
    put(repository, "a", "{'keys':{'L':'v','K0':null}}")
        .statusCode(200)
        .body("keyNames", hasSize(50));
    put(repository, "a", nulls(100)).statusCode(200);
    put(repository, "a", nulls(101)).statusCode(400).body("errors[0].pointer", equalTo("/keys"));
    database.update(
        """
        insert into credential_set (id, org_id, repo_id, name, created_at, updated_at)
        select gen_random_uuid(), org_id, id, 'many-' || i, now(), now()
        from repository, generate_series(1, 98) as i where id = ?
        """,
        Api.repoId(repository));
    put(repository, "b", "{}").statusCode(200);
    put(repository, "c", "{}")
        .statusCode(409)
        .body("details.reason", equalTo("too_many_credential_sets"));
    put(repository, "b", "{'description':'still'}").statusCode(200);
    put(organization, "c", "{}").statusCode(200);
  }

  @Test
  void what_is_archived_takes_no_change() {
    put(repository, "a", "{}").statusCode(200);
    admin().body("{\"archived\":true}").patch(repository).then().statusCode(200);
    put(repository, "a", "{}").statusCode(409).body("code", equalTo("ARCHIVED"));
    admin().post(repository + "/credential-sets/a/revoke").then().statusCode(409);
    admin().delete(repository + "/credential-sets/a").then().statusCode(409);
    put(organization, "a", "{}").statusCode(200);
    admin().body("{\"archived\":true}").patch(organization).then().statusCode(200);
    put(organization, "a", "{}").statusCode(409).body("code", equalTo("ARCHIVED"));
  }

  @Test
  void what_is_done_is_told_in_the_audit_log_without_values() {
    put(repository, "a", "{'keys':{'A':'secret-a','B':'secret-b'}}").statusCode(200);
    put(repository, "a", "{'keys':{'A':null,'C':'secret-c'}}").statusCode(200);
    admin().post(repository + "/credential-sets/a/revoke").then().statusCode(200);
    admin().post(repository + "/credential-sets/a/revoke").then().statusCode(200);
    admin().delete(repository + "/credential-sets/a").then().statusCode(200);
    put(organization, "o", "{}").statusCode(200);
    var log =
        admin()
            .get(organization + "/audit?limit=5")
            .then()
            .statusCode(200)
            .body(
                "items.action",
                contains(
                    "credential_set.created",
                    "credential_set.deleted",
                    "credential_set.revoked",
                    "credential_set.updated",
                    "credential_set.created"))
            .body("items.target", contains("o", "a", "a", "a", "a"))
            .body("items[0].details", equalTo(Map.of()))
            .body("items[4].details", equalTo(Map.of("repository", "repo", "set", "A, B")))
            .body(
                "items[3].details",
                equalTo(Map.of("repository", "repo", "set", "C", "removed", "A")));
    assertFalse(log.extract().asString().contains("secret-"), "a value is told");
  }
}
