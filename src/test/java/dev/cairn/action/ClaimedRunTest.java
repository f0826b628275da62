package dev.cairn.action;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.platform.Body;
import dev.cairn.work.WorkTarget;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What an attempt knows of the run that a worker has claimed. */
class ClaimedRunTest {
  @Test
  void an_attempt_is_made_for_the_tenant_whose_slot_it_has() {
    var target =
        new WorkTarget(UUID.randomUUID(), UUID.randomUUID(), "https://a.example#1", "webhook");
    var id = UUID.randomUUID();
    var run =
        new ClaimedRun(
            new RunningAttempt(target.repoId(), id, 1, 7, id),
            target,
            id,
            id,
            new byte[0],
            null,
            0,
            new int[0],
            Instant.EPOCH,
            "org",
            "repo",
            "hook",
            null,
            "https://cairn.example.org",
            false,
            new CallbackTokens.Validity(0, 0));
    var attempt = run.attempt(Body.of(new byte[0]), "token", "00-1-1-01");
    assertEquals(target.tenantId(), attempt.tenantId());
  }
}
