package dev.cairn.subscription;

import static dev.cairn.Api.as;
import static dev.cairn.subscription.Subs.named;
import static dev.cairn.subscription.Subs.pat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.People;
import dev.cairn.Statements;
import dev.cairn.platform.database.Database;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code docs/credentials.md}, Changes of what is bound: what very many bindings cost. */
@HttpTest
@QuarkusTest
@InProcess("It writes subscriptions into the tables.")
class BoundCallsTest {
  @Inject Database database;

  private String repository;
  private String watched;
  private String token;

  @BeforeEach
  void bindMany() {
    repository = Subs.privateRepository();
    watched = Subs.sibling(repository, "private");
    token = Api.adminToken();
    put().then().statusCode(200);
    bind(Api.repoId(repository), Api.repoId(watched));
  }

  /** Subscriptions that watch another repository, and tokens of 16 kB for each of them. */
  private void bind(UUID repoId, UUID watchedId) {
    database.update(
        """
        insert into subscription (repo_id, id, name, kind, executor_kind, active, source_repo_id,
                                  shape_id, filter, sprite_config, token_scopes, token_permissions,
                                  credential_set, allow_trace_reentry, notify_on_success,
                                  workspace_policy, base_url, created_at, updated_at)
        select ?, gen_random_uuid(), 'many-' || i, 'sprite', 'sprite', false, ?, 100, '{}',
               '{"command":"c"}',
               '[{"permissions":["repo:read","repo:admin"],"allowedMatches":["'
                 || repeat('a', 16000) || '"]}]',
               '{repo:read,repo:admin}', 'set', false, false, 'ignore', 'http://localhost', now(),
               now()
        from generate_series(1, 300) as i
        """,
        repoId,
        watchedId);
  }

  private Response put() {
    return as(token)
        .body(Map.of("keys", Map.of("VALUE", "a value")))
        .put(repository + "/credential-sets/set");
  }

  @Test
  void a_change_takes_as_many_statements_for_300_as_for_one() {
    int ofMany = Statements.of(() -> put().then().statusCode(200));
    database.update(
        "delete from subscription where repo_id = ? and name <> 'many-1'", Api.repoId(repository));
    assertEquals(Statements.of(() -> put().then().statusCode(200)), ofMany);
  }

  @Test
  void the_permissions_of_every_token_and_every_watched_repository_are_needed() {
    token = pat(repository, "'repo:read','repo:write','repo:configure'");
    put().then().statusCode(403).body("detail", containsString("repo:admin"));
    token = pat(repository, "'repo:read','repo:write','repo:configure','repo:admin'");
    put()
        .then()
        .statusCode(403)
        .body("detail", equalTo("It watches a repository that you may not read with this token."));
    var both =
        "{'resource':'%s','permissions':['repo:read','repo:write','repo:configure','repo:admin']},"
            + "{'resource':'%s','permissions':['repo:read']}";
    token = People.pat(Api.adminToken(), both.formatted(named(repository), named(watched)));
    put().then().statusCode(200);
  }
}
