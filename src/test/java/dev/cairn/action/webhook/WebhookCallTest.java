package dev.cairn.action.webhook;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.action.Attempt;
import dev.cairn.platform.Body;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The request of a webhook by itself. */
class WebhookCallTest {
  @Test
  void it_is_made_on_behalf_of_the_tenant_whose_slot_it_has() throws Exception {
    var id = UUID.randomUUID();
    var attempt =
        new Attempt(
            UUID.randomUUID(),
            UUID.randomUUID(),
            "org",
            "repo",
            id,
            id,
            "hook",
            1,
            id,
            "00-1-1-01",
            "token",
            Body.of(new byte[0]));
    var call = WebhookCall.of(attempt, "https://a.example/", Map.of(), Instant.EPOCH);
    assertEquals(attempt.tenantId().toString(), call.requester());
  }
}
