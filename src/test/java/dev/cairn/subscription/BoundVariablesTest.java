package dev.cairn.subscription;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static dev.cairn.subscription.Subs.ADMIN_SCOPES;
import static dev.cairn.subscription.Subs.bind;
import static dev.cairn.subscription.Subs.forbidden;
import static dev.cairn.subscription.Subs.named;
import static dev.cairn.subscription.Subs.pat;
import static dev.cairn.subscription.Subs.put;
import static dev.cairn.subscription.Subs.sprite;
import static dev.cairn.subscription.Subs.subscribe;
import static dev.cairn.subscription.Subs.webhook;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.TestDatabase;
import dev.cairn.Threads;
import dev.cairn.Waiting;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code docs/credentials.md}, Variables of sprites and Changes of what is bound. */
@HttpTest
@QuarkusTest
class BoundVariablesTest {
  private String repository;
  private String org;

  @BeforeEach
  void makeRepository() {
    repository = Subs.privateRepository();
    org = named(repository).split("/", -1)[0];
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LD_PRELOAD",
        "LD_",
        "DYLD_INSERT_LIBRARIES",
        "GLIBC_TUNABLES",
        "MALLOC_CHECK_",
        "GCONV_PATH",
        "BASH_ENV",
        "BASH_FUNC_ls",
        "BASHOPTS",
        "SHELLOPTS",
        "BASH_VERSINFO",
        "EUID",
        "OPTIND",
        "PPID",
        "UID",
        "ENV",
        "IFS",
        "PATH",
        "HOME",
        "SHELL",
        "USER",
        "LOGNAME",
        "TMPDIR",
        "CAIRN_TOKEN",
        "lower",
        "_A",
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
      })
  void a_key_that_no_sprite_may_have_is_bound_to_none(String key) {
    subscribe(repository, sprite("s", "")).statusCode(201);
    subscribe(repository, webhook("w")).statusCode(201);
    put(repository, Api.adminToken(), Map.of("API_KEY", "a", key, "b")).statusCode(200);
    bind(repository, Api.adminToken(), "w").statusCode(200);
    bind(repository, Api.adminToken(), "s")
        .statusCode(400)
        .body("errors[0].pointer", equalTo("/credentialSetName"))
        .body("detail", containsString("`" + key + "`"));
    admin()
        .body("{\"keys\":{\"" + key + "\":null}}")
        .put(repository + "/credential-sets/set")
        .then()
        .statusCode(200);
    bind(repository, Api.adminToken(), "s").statusCode(200);
    put(repository, Api.adminToken(), Map.of(key, "b"))
        .statusCode(400)
        .body("errors[0].pointer", equalTo("/keys/" + key));
    admin()
        .body(Map.of("keys", Map.of(key, "b")))
        .put("/api/orgs/" + org + "/credential-sets/set")
        .then()
        .statusCode(400)
        .body("errors[0].pointer", equalTo("/keys/" + key));
  }

  @Test
  void an_organizations_set_obeys_while_a_sprite_of_it_is_bound() {
    var sets = "/api/orgs/" + org + "/credential-sets/set";
    subscribe(repository, sprite("s", "")).statusCode(201);
    admin().body(Map.of("keys", Map.of("API_KEY", "a"))).put(sets).then().statusCode(200);
    bind(repository, Api.adminToken(), "s").statusCode(200);
    admin()
        .body(Map.of("keys", Map.of("LD_PRELOAD", "a")))
        .put(sets)
        .then()
        .statusCode(400)
        .body("errors[0].pointer", equalTo("/keys/LD_PRELOAD"));
  }

  @Test
  void what_is_bound_becomes_no_sprite_with_such_a_key() {
    subscribe(repository, Subs.cron("c", "0 3 * * *", "")).statusCode(201);
    put(repository, Api.adminToken(), Map.of("LD_PRELOAD", "a")).statusCode(200);
    bind(repository, Api.adminToken(), "c").statusCode(200);
    Subs.patch(
            repository,
            "c",
            "{'executorKind':'sprite','spriteConfig':{'command':'env','inputMode':'stdin'}}")
        .statusCode(400)
        .body("errors[0].pointer", equalTo("/executorKind"));
  }

  @Test
  void to_set_or_remove_a_variable_of_a_sprite_takes_what_its_command_takes() {
    subscribe(repository, sprite("s", ADMIN_SCOPES)).statusCode(201);
    put(repository, Api.adminToken(), Map.of("API_KEY", "a")).statusCode(200);
    bind(repository, Api.adminToken(), "s").statusCode(200);
    var configures = pat(repository, "'repo:read','repo:configure'");
    forbidden(put(repository, configures, Map.of("API_KEY", "b")), "repo:admin");
    forbidden(put(repository, configures, Collections.singletonMap("API_KEY", null)), "repo:admin");
    put(repository, configures, Map.of()).statusCode(200);
    forbidden(put(repository, configures, Map.of("NODE_OPTIONS", "--import=data:,")), "repo:admin");
    forbidden(
        put(repository, pat(repository, "'repo:configure'"), Map.of("NODE_OPTIONS", "x")),
        "may not read");
    as(configures).delete(repository + "/credential-sets/set").then().statusCode(200);
    forbidden(put(repository, configures, Map.of("API_KEY", "b")), "repo:admin");
    // The sprite would run again, without its variables.
    forbidden(put(repository, configures, Map.of()), "repo:admin");
    forbidden(putOfOrganization(configures(), Map.of()), "repo:admin");
    put(
            repository,
            pat(repository, "'repo:read','repo:configure','repo:admin'"),
            Map.of("API_KEY", "b"))
        .statusCode(200);
  }

  private ValidatableResponse putOfOrganization(String token, Map<String, String> keys) {
    return as(token)
        .body(Map.of("keys", keys))
        .put("/api/orgs/" + org + "/credential-sets/set")
        .then();
  }

  private ValidatableResponse delete(String token) {
    return as(token).delete(repository + "/credential-sets/set").then();
  }

  /** May configure the repository and the organization, and lacks what the sprite's token has. */
  private String configures() {
    return People.pat(
        Api.adminToken(),
        "{'resource':'%s','permissions':['repo:read','repo:configure']},"
                .formatted(named(repository))
            + "{'resource':'%s','permissions':['org:configure']}".formatted(org));
  }

  @Test
  void a_set_of_the_organization_gives_no_variable_to_a_sprite_that_a_repositorys_set_serves() {
    subscribe(repository, sprite("s", ADMIN_SCOPES)).statusCode(201);
    put(repository, Api.adminToken(), Map.of("API_KEY", "a")).statusCode(200);
    bind(repository, Api.adminToken(), "s").statusCode(200);
    var configures = configures();
    var proxy = Map.of("ALL_PROXY", "http://127.0.0.1:9");
    forbidden(put(repository, configures, proxy), "repo:admin");
    forbidden(putOfOrganization(configures, proxy), "repo:admin");
    putOfOrganization(Api.adminToken(), Map.of("API_KEY", "a")).statusCode(200);
    forbidden(putOfOrganization(configures, Map.of("API_KEY", "b")), "repo:admin");
    forbidden(delete(configures), "repo:admin");
    delete(Api.adminToken()).statusCode(200);
  }

  @Test
  void a_set_is_deleted_only_by_callers_that_may_give_sprites_the_replacing_variables() {
    subscribe(repository, sprite("s", ADMIN_SCOPES)).statusCode(201);
    put(repository, Api.adminToken(), Map.of("API_KEY", "a")).statusCode(200);
    putOfOrganization(Api.adminToken(), Map.of("ALL_PROXY", "a")).statusCode(200);
    var configures = configures();
    delete(configures).statusCode(200);
    put(repository, Api.adminToken(), Map.of("API_KEY", "a")).statusCode(200);
    bind(repository, Api.adminToken(), "s").statusCode(200);
    forbidden(delete(configures), "repo:admin");
    admin().get(repository + "/credential-sets/set").then().statusCode(200);
    delete(Api.adminToken()).statusCode(200);
  }

  @ParameterizedTest
  @CsvSource({"organization, false", "organization, true", "repository, false"})
  void a_set_stays_as_it_is_if_what_has_it_was_archived_while_the_change_waited(
      String archived, boolean isDeletion) throws Exception {
    subscribe(repository, sprite("s", "")).statusCode(201);
    put(repository, Api.adminToken(), Map.of("SINK", "a")).statusCode(200);
    bind(repository, Api.adminToken(), "s").statusCode(200);
    // Deleting a set waits only if another one takes its place.
    putOfOrganization(Api.adminToken(), Map.of("SINK", "c")).statusCode(200);
    try (var row = OwnConnections.dataSource().getConnection()) {
      row.setAutoCommit(false);
      OwnConnections.execute(
          row,
          archived.equals("organization")
              ? "update organization set archived_at = now() where name = ?"
              : """
                update repository set archived_at = now()
                where org_id = (select id from organization where name = ?)
                """,
          org);
      OwnConnections.execute(
          row,
          """
          select from repository_head h join repository r on r.id = h.repo_id
          join organization o on o.id = r.org_id where o.name = ? for update of h
          """,
          org);
      var change =
          CompletableFuture.supplyAsync(
              () ->
                  isDeletion
                      ? delete(Api.adminToken())
                      : put(repository, Api.adminToken(), Map.of("SINK", "b")),
              Threads.OWN);
      Waiting.awaitWaiter(row);
      row.commit();
      change.get(30, TimeUnit.SECONDS).statusCode(409).body("code", is("ARCHIVED"));
    }
  }

  /** The receiver may store what it gets in the account whose token it is. */
  @Test
  void what_a_webhook_is_sent_with_is_changed_only_by_callers_that_read_what_it_sends() {
    subscribe(repository, webhook("w")).statusCode(201);
    put(repository, Api.adminToken(), Map.of("WEBHOOK_BEARER_TOKEN", "a")).statusCode(200);
    var configures = pat(repository, "'repo:configure'");
    put(repository, configures, Map.of("WEBHOOK_BEARER_TOKEN", "b")).statusCode(200);
    bind(repository, Api.adminToken(), "w").statusCode(200);
    forbidden(put(repository, configures, Map.of("WEBHOOK_BEARER_TOKEN", "c")), "may not read");
    forbidden(
        put(repository, configures, Collections.singletonMap("WEBHOOK_BEARER_TOKEN", null)),
        "may not read");
    delete(Api.adminToken()).statusCode(200);
    forbidden(put(repository, configures, Map.of()), "may not read");
    var ofOrganization =
        People.pat(
            Api.adminToken(), "{'resource':'%s','permissions':['org:configure']}".formatted(org));
    forbidden(
        putOfOrganization(ofOrganization, Map.of("WEBHOOK_BEARER_TOKEN", "c")), "may not read");
    put(
            repository,
            pat(repository, "'repo:read','repo:configure'"),
            Map.of("WEBHOOK_BEARER_TOKEN", "d"))
        .statusCode(200);
  }

  @Test
  void what_a_notification_is_sent_with_is_changed_only_by_callers_that_read_the_repository() {
    put(repository, Api.adminToken(), Map.of("WEBHOOK_BEARER_TOKEN", "a")).statusCode(200);
    admin()
        .body(
            Map.of(
                "settings",
                Map.of(
                    "notifications", Map.of("webhookUrl", Subs.URL, "credentialSetName", "set"))))
        .patch(repository)
        .then()
        .statusCode(200);
    forbidden(
        put(repository, pat(repository, "'repo:configure'"), Map.of("WEBHOOK_BEARER_TOKEN", "b")),
        "may not read");
  }

  @Test
  void a_new_set_that_replaces_one_of_the_organization_takes_what_the_command_takes() {
    subscribe(repository, sprite("s", ADMIN_SCOPES)).statusCode(201);
    putOfOrganization(Api.adminToken(), Map.of("API_KEY", "a")).statusCode(200);
    bind(repository, Api.adminToken(), "s").statusCode(200);
    var configures = configures();
    forbidden(put(repository, configures, Map.of()), "repo:admin");
    forbidden(put(repository, configures, Map.of("API_KEY", "b")), "repo:admin");
    admin().get(repository + "/credential-sets/set").then().statusCode(404);
    put(repository, Api.adminToken(), Map.of()).statusCode(200);
  }

  @Test
  void variables_of_a_sprite_that_watches_another_repository_take_the_right_to_read_that_one() {
    var source = Subs.sibling(repository, "private");
    var watches = ",'sourceRepo':'%s'".formatted(named(source));
    subscribe(repository, sprite("s", watches)).statusCode(201);
    put(repository, Api.adminToken(), Map.of("SINK", "a")).statusCode(200);
    bind(repository, Api.adminToken(), "s").statusCode(200);
    var own = "{'resource':'%s','permissions':['repo:read','repo:write','repo:configure']},";
    var configures =
        People.pat(
            Api.adminToken(),
            own.formatted(named(repository))
                + "{'resource':'%s','permissions':['org:configure']}".formatted(org));
    forbidden(put(repository, configures, Map.of("SINK", "b")), "may not read");
    forbidden(putOfOrganization(configures, Map.of("SINK", "b")), "may not read");
    var narrowed =
        People.pat(
            Api.adminToken(),
            own.formatted(named(repository))
                + "{'resource':'%s','permissions':['repo:read'],'allowedMatches':['Sensor/a']}"
                    .formatted(named(source)));
    forbidden(put(repository, narrowed, Map.of("SINK", "b")), "narrowed");
    admin().body(Map.of("visibility", "public")).patch(source).then().statusCode(200);
    forbidden(put(repository, configures, Map.of("SINK", "b")), "because it is public");
    put(repository, Api.adminToken(), Map.of("SINK", "b")).statusCode(200);
  }

  /**
   * Otherwise a command would continue to run for the account that changed a secret last, also
   * without its author.
   */
  @Test
  void a_change_of_the_variables_of_a_sprite_does_not_change_its_principal() {
    subscribe(repository, sprite("s", "")).statusCode(201);
    put(repository, Api.adminToken(), Map.of("SINK", "a")).statusCode(200);
    bind(repository, Api.adminToken(), "s").statusCode(200);
    var other = People.member(org, "admin");
    put(repository, other.token(), Map.of("SINK", "b")).statusCode(200);
    putOfOrganization(other.token(), Map.of("SINK", "c")).statusCode(200);
    delete(other.token()).statusCode(200);
    assertPrincipal("s", TestDatabase.ADMIN_EMAIL);
  }

  @Test
  void to_unbind_makes_no_principal_of_a_sprite_whose_own_may_not_use_secrets_any_more() {
    var former = People.member(org, "admin");
    subscribe(repository, sprite("s", "")).statusCode(201);
    put(repository, Api.adminToken(), Map.of("SINK", "a")).statusCode(200);
    bind(repository, former.token(), "s").statusCode(200);
    admin()
        .body(Map.of("role", "editor"))
        .put("/api/orgs/" + org + "/members/" + former.inPath())
        .then()
        .statusCode(200);
    admin().delete(repository + "/subs/s/bind").then().statusCode(200);
    assertPrincipal("s", former.email());
    bind(repository, Api.adminToken(), "s").statusCode(200);
    assertPrincipal("s", TestDatabase.ADMIN_EMAIL);
  }

  private void assertPrincipal(String subscription, String email) {
    Subs.get(repository, subscription).body("principal", equalTo(email));
  }
}
