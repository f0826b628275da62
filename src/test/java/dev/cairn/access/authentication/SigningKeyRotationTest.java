package dev.cairn.access.authentication;

import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.platform.database.Database;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Access: keys are replaced when they are old, and nobody's token suffers. */
@HttpTest
@QuarkusTest
@InProcess("It rotates keys.")
class SigningKeyRotationTest {
  @Inject SigningKeys keys;
  @Inject AccessTokens tokens;
  @Inject Accounts accounts;
  @Inject Database database;

  @BeforeEach
  void finishEarlierRotations() {
    database.update("update signing_key set retired_at = now() where retired_at > now()");
    keys.current();
  }

  private List<String> published() {
    return anonymous()
        .get("/.well-known/jwks.json")
        .then()
        .statusCode(200)
        .header("Cache-Control", is("public, max-age=300"))
        .extract()
        .path("keys.kid");
  }

  private void age(String days) {
    database.update(
        "update signing_key set created_at = now() - ?::interval where retired_at is null", days);
  }

  private void retiredSince(String id, String time) {
    database.update(
        "update signing_key set retired_at = now() - ?::interval where id = ?", time, id);
  }

  @Test
  void a_key_is_replaced_after_ninety_days_and_published_until_its_last_token_expired() {
    var email = Api.unique("key") + "@example.org";
    var account = accounts.create(email, "Holder", accounts.hash(email, "a good password", null));
    var old = keys.current().id();
    age("89 days");
    keys.rotate();
    assertEquals(old, keys.current().id());
    age("91 days");
    keys.rotate();
    var next = published().getFirst();
    assertNotEquals(old, next);
    assertEquals(old, keys.current().id(), "others must have seen the new key before it signs");
    var token = AccountRows.accessToken(tokens, account, "http://localhost:8080", Instant.now());
    retiredSince(old, "1 second");
    assertEquals(next, keys.current().id());
    as(token).get("/api/whoami").then().statusCode(200);
    assertTrue(published().containsAll(List.of(old, next)));
    retiredSince(old, "64 minutes");
    assertTrue(published().containsAll(List.of(old, next)));
    retiredSince(old, "66 minutes");
    anonymous()
        .get("/.well-known/jwks.json")
        .then()
        .body("keys.kid", not(hasItem(old)))
        .body("keys.kid", hasItems(next));
    keys.rotate();
    assertEquals(next, keys.current().id());
  }

  @Test
  void of_many_replicas_one_replaces_the_key() throws Exception {
    var before = published().size();
    age("91 days");
    Callable<Boolean> rotation =
        () -> {
          keys.rotate();
          return true;
        };
    try (var pool = Executors.newFixedThreadPool(4)) {
      for (var done : pool.invokeAll(Collections.nCopies(8, rotation))) {
        assertTrue(done.get());
      }
    }
    assertEquals(before + 1, published().size());
  }

  /** A key that signs and by which nothing was verified yet. */
  private String freshKey() {
    age("91 days");
    keys.rotate();
    finishEarlierRotations();
    return keys.current().id();
  }

  @Test
  void a_token_of_a_key_that_is_not_published_any_more_is_refused() {
    var email = Api.unique("key") + "@example.org";
    var account = accounts.create(email, "Holder", accounts.hash(email, "a good password", null));
    var id = freshKey();
    var token = AccountRows.accessToken(tokens, account, "http://localhost:8080", Instant.now());
    retiredSince(id, "66 minutes");
    as(token).get("/api/whoami").then().statusCode(401);
    retiredSince(id, "64 minutes");
    as(token).get("/api/whoami").then().statusCode(200);
  }

  @Test
  void a_key_that_is_deleted_is_trusted_for_half_a_minute_at_the_most() {
    var id = freshKey();
    var now = Instant.now();
    var end = now.plus(SigningKeys.MAX_CACHE_AGE);
    assertTrue(keys.byId(id, now).isPresent());
    assertEquals(1, database.update("delete from signing_key where id = ?", id));
    assertTrue(keys.byId(id, end.minusMillis(1)).isPresent());
    assertTrue(keys.byId(id, end).isEmpty());
    assertTrue(keys.byId(id, now).isEmpty(), "it is forgotten");
  }
}
