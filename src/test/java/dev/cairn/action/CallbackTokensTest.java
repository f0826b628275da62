package dev.cairn.action;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.platform.Configs;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.secret.Sealed.Resealed;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Actions, Callbacks: tokens stay the same while the secret key is changed. */
@HttpTest
@QuarkusTest
@InProcess("It makes and reads callback tokens.")
class CallbackTokensTest {
  private static final UUID RUN = UUID.fromString("01890000-0000-7000-8000-000000000000");
  private static final CallbackTokens.Validity FIRST = new CallbackTokens.Validity(0, 0);
  private static final String NEXT = key();

  @Inject Database database;
  @Inject CallbackTokens running;

  private static String key() {
    var key = new byte[32];
    Arrays.fill(key, (byte) 5);
    return Base64.getEncoder().encodeToString(key);
  }

  /** As a replica has them that starts with these keys. */
  private CallbackTokens started(Map<String, String> keys) {
    return new CallbackTokens(database, Configs.secretBox(keys));
  }

  @Test
  void a_token_outlives_each_step_of_a_change_of_the_secret_key() {
    var before = running.of(RUN, FIRST);
    var changing =
        Map.of("cairn.secret-key", NEXT, "cairn.secret-key-previous", Configs.SECRET_KEY);
    assertEquals(before, started(changing).of(RUN, FIRST));
    assertEquals(new Resealed(1, 0), started(changing).reseal());
    try {
      assertEquals(new Resealed(0, 0), started(changing).reseal());
      var changed = started(Map.of("cairn.secret-key", NEXT));
      assertEquals(before, changed.of(RUN, FIRST));
      assertTrue(changed.isOf(RUN, FIRST, before));
      var former = started(Map.of("cairn.secret-key", Configs.SECRET_KEY));
      assertThrows(IllegalStateException.class, () -> former.of(RUN, FIRST));
      assertEquals(new Resealed(0, 1), former.reseal());
    } finally {
      var back = Map.of("cairn.secret-key", Configs.SECRET_KEY, "cairn.secret-key-previous", NEXT);
      assertEquals(new Resealed(1, 0), started(back).reseal());
    }
    assertEquals(before, started(Map.of("cairn.secret-key", Configs.SECRET_KEY)).of(RUN, FIRST));
  }

  @Test
  void a_token_is_that_of_its_run_alone() {
    assertTrue(running.isOf(RUN, FIRST, running.of(RUN, FIRST)));
    assertFalse(running.isOf(UUID.randomUUID(), FIRST, running.of(RUN, FIRST)));
    assertFalse(running.isOf(RUN, FIRST, "not base64!"));
    assertFalse(running.isOf(RUN, FIRST, ""));
  }

  @Test
  void a_token_is_that_of_one_time_that_its_run_was_brought_back_and_of_one_target() {
    for (int times = 0; times < 3; times++) {
      for (int generation = 0; generation < 3; generation++) {
        var validity = new CallbackTokens.Validity(times, generation);
        var token = running.of(RUN, validity);
        assertTrue(running.isOf(RUN, validity, token));
        assertTrue(running.isOfAnyTime(RUN, token));
        assertFalse(running.isOf(RUN, new CallbackTokens.Validity(times + 1, generation), token));
        assertFalse(running.isOf(RUN, new CallbackTokens.Validity(times, generation + 1), token));
        assertFalse(running.isOfAnyTime(UUID.randomUUID(), token));
      }
    }
    var code = running.of(RUN, new CallbackTokens.Validity(1, 0)).substring("1.0.".length());
    var made =
        new String[] {
          code,
          "1." + code,
          "2.0." + code,
          "1.1." + code,
          "01.0." + code,
          "1.00." + code,
          "9999999999.0." + code,
          "1.0."
        };
    for (var token : made) {
      assertFalse(running.isOfAnyTime(RUN, token), token);
    }
  }
}
