package dev.cairn.platform.secret;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.TestDatabase;
import dev.cairn.Uncommon;
import dev.cairn.platform.Configs;
import dev.cairn.platform.database.Database;
import dev.cairn.subscription.CredentialSets;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code docs/credentials.md}, Changing the secret key. */
@HttpTest
@QuarkusTest
@InProcess("It runs the command in the service.")
@TestProfile(Uncommon.class)
class ResealTest {
  private static final SecretBox FORMER_BOX = box(Uncommon.FORMER_KEY);
  private static final SecretBox PRESENT_BOX = box(Configs.SECRET_KEY);

  @Inject ResealCommand command;
  @Inject CredentialSets credentials;
  @Inject Database database;

  private UUID repoId;

  /** A sealed value, by the purpose that it was sealed for. */
  private record Value(String purpose, byte[] sealed) {}

  private static SecretBox box(String key) {
    return Configs.secretBox(Map.of("cairn.secret-key", key));
  }

  @BeforeEach
  void makeSet() {
    var repository = Api.newRepository();
    Api.admin()
        .body("{\"keys\":{\"A\":\"one\",\"B\":\"two\"}}")
        .put(repository + "/credential-sets/set")
        .then()
        .statusCode(200);
    repoId = Api.repoId(repository);
  }

  private List<Value> credentialValues() {
    return database.list(
        """
        select 'credential ' || k.set_id || ' ' || k.name, k.sealed
        from credential_key k join credential_set c on c.id = k.set_id
        where c.repo_id = ? order by k.name
        """,
        row -> new Value(row.getString(1), row.getBytes(2)),
        repoId);
  }

  private List<Value> signingKeys() {
    return database.list(
        "select 'signing_key.private_key:' || id, private_key from signing_key order by id",
        row -> new Value(row.getString(1), row.getBytes(2)));
  }

  /** The one that there is from the first callback on. */
  private List<Value> callbackKey() {
    Api.anonymous()
        .body("{}")
        .post("/api/action-runs/01890000-0000-7000-8000-000000000000/callback?token=0.0.none")
        .then()
        .statusCode(401);
    return database.list(
        "select sealed from callback_key", row -> new Value("callback_key", row.getBytes(1)));
  }

  private void sealUnder(SecretBox box, Value value) {
    var sealed = box.seal(PRESENT_BOX.open(value.sealed(), value.purpose()), value.purpose());
    database.update(
        "update credential_key set sealed = ? where sealed = ?", sealed, value.sealed());
    database.update(
        "update signing_key set private_key = ? where private_key = ?", sealed, value.sealed());
    database.update("update callback_key set sealed = ? where sealed = ?", sealed, value.sealed());
  }

  private static void assertOpens(SecretBox box, List<Value> values) {
    assertFalse(values.isEmpty());
    values.forEach(value -> box.open(value.sealed(), value.purpose()));
  }

  private Optional<Map<String, String>> opened() {
    return credentials.open(
        repoId,
        "set",
        database
            .first(
                "select id from account where email = ?",
                row -> row.getObject(1, UUID.class),
                TestDatabase.ADMIN_EMAIL)
            .orElseThrow());
  }

  @Test
  void everything_that_another_key_has_sealed_is_sealed_again() {
    signingKeys().forEach(value -> sealUnder(FORMER_BOX, value));
    credentialValues().forEach(value -> sealUnder(FORMER_BOX, value));
    callbackKey().forEach(value -> sealUnder(FORMER_BOX, value));
    assertOpens(FORMER_BOX, signingKeys());
    assertOpens(FORMER_BOX, callbackKey());
    assertEquals(Optional.of(Map.of("A", "one", "B", "two")), opened());
    assertEquals(0, command.run());
    assertOpens(PRESENT_BOX, signingKeys());
    assertOpens(PRESENT_BOX, credentialValues());
    assertOpens(PRESENT_BOX, callbackKey());
    assertEquals(Optional.of(Map.of("A", "one", "B", "two")), opened());
  }

  @Test
  void what_is_done_is_not_done_again() {
    command.run();
    var before = credentialValues();
    assertEquals(0, command.run());
    var after = credentialValues();
    for (int i = 0; i < before.size(); i++) {
      assertArrayEquals(before.get(i).sealed(), after.get(i).sealed());
    }
  }

  @Test
  void what_cannot_be_opened_is_left_as_it_is_and_told_by_the_exit_code() {
    var values = credentialValues();
    sealUnder(box(Uncommon.key((byte) 9)), values.get(0));
    sealUnder(FORMER_BOX, values.get(1));
    var lost = credentialValues().get(0);
    assertEquals(1, command.run());
    assertArrayEquals(lost.sealed(), credentialValues().get(0).sealed());
    assertOpens(PRESENT_BOX, List.of(credentialValues().get(1)));
    assertThrows(
        IllegalStateException.class, () -> PRESENT_BOX.open(lost.sealed(), lost.purpose()));
    assertEquals(Optional.empty(), opened());
    database.update("delete from credential_key where sealed = ?", lost.sealed());
    assertEquals(
        "two",
        new String(
            PRESENT_BOX.open(credentialValues().get(0).sealed(), values.get(1).purpose()), UTF_8));
  }
}
