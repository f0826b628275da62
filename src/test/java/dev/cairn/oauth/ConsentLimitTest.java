package dev.cairn.oauth;

import static dev.cairn.Limited.SESSIONS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Limited;
import dev.cairn.access.authentication.AccountRows;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** OAuth: how often an account consents, since each consent stays in audit logs. */
@HttpTest
@QuarkusTest
@InProcess("It consents without a browser.")
@TestProfile(Limited.class)
class ConsentLimitTest {
  @Inject Consents consents;

  @Test
  void an_account_consents_no_more_often_in_an_hour_than_the_limit_says() {
    Limited.refill();
    var account = account();
    for (int i = 0; i < SESSIONS; i++) {
      consent(account);
    }
    var refusal = assertThrows(Problem.class, () -> consent(account));
    assertEquals(ErrorCode.RATE_LIMITED, refusal.code());
    assertEquals(SESSIONS, events(account));
    consent(account());
  }

  private static UUID account() {
    return AccountRows.insert(Api.unique("consent") + "@example.org", "C", Flow.PASSWORD);
  }

  private void consent(UUID account) {
    consents.record(account, Client.COMMAND_LINE, new GrantScope(null, null), "192.0.2.1");
  }

  private static long events(UUID account) {
    return AccountRows.count("account_event", account);
  }
}
