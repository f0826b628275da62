package dev.cairn.subscription;

import static dev.cairn.Api.admin;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.platform.database.Database;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Credential sets: a call is never sent without its secrets, also if the set ends while the call
 * looks for them. A lock holds the look-up back until it has.
 */
@HttpTest
@QuarkusTest
@InProcess("It holds transactions of the service.")
class CredentialRaceTest {
  @Inject Database database;
  @Inject CredentialSets sets;

  private boolean isWaitedFor() {
    return database
        .first(
            "select exists (select from pg_locks where not granted"
                + " and relation = 'credential_key'::regclass)",
            row -> row.getBoolean(1))
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "delete from credential_set where repo_id = ?",
        "update credential_set set revoked_at = now() where repo_id = ?"
      })
  void a_set_that_ends_during_the_look_up_is_not_an_empty_one(String end) throws Exception {
    var repository = Api.newRepository();
    admin()
        .body(Map.of("keys", Map.of("WEBHOOK_BEARER_TOKEN", "a-secret-of-theirs")))
        .put(repository + "/credential-sets/set")
        .then()
        .statusCode(200);
    var repoId = Api.repoId(repository);
    var principal =
        database
            .first(
                "select id from account where email = 'admin@example.org'",
                row -> row.getObject(1, UUID.class))
            .orElseThrow();
    assertEquals(1, sets.open(repoId, "set", principal).orElseThrow().size());
    try (var executor = Executors.newSingleThreadExecutor()) {
      Future<Optional<Map<String, String>>> opened =
          database.transaction(
              () -> {
                database.update("lock table credential_key in access exclusive mode");
                var opening = executor.submit(() -> sets.open(repoId, "set", principal));
                Eventually.await(
                    "the look-up waits",
                    () -> {
                      assertTrue(!opening.isDone(), "the look-up did not wait");
                      return isWaitedFor();
                    });
                database.update(end, repoId);
                return opening;
              });
      assertEquals(Optional.empty(), opened.get(20, TimeUnit.SECONDS));
    }
  }
}
