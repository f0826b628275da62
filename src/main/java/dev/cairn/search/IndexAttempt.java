package dev.cairn.search;

import dev.cairn.work.JobAttempt;
import dev.cairn.work.WorkTarget;
import java.util.Map;
import java.util.UUID;

/**
 * An attempt to bring a part of the index of a repository up to date.
 *
 * @param tenantId whose slots it takes
 * @param number the number of the attempt, which is its lease
 * @param failures how many attempts before it have failed in a row
 */
record IndexAttempt(UUID repoId, UUID tenantId, IndexPart part, int number, int failures)
    implements JobAttempt {
  @Override
  public UUID id() {
    return repoId;
  }

  @Override
  public WorkTarget target() {
    return WorkTarget.ofTenant(tenantId, part.queue());
  }

  @Override
  public Map<String, Object> logIds() {
    return Map.of("repoId", repoId, "attempt", number);
  }

  @Override
  public String toString() {
    return "index of %s of %s, attempt %d".formatted(part.text(), repoId, number);
  }
}
