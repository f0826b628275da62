package dev.cairn.export;

import dev.cairn.work.JobAttempt;
import dev.cairn.work.WorkTarget;
import java.util.Map;
import java.util.UUID;

/**
 * An attempt to build an export.
 *
 * @param id the id of the job
 * @param number the number of the attempt, counted from 1 over all replicas
 * @param seq the sequence number of the exported moment
 * @param accountId the account that requested the export
 * @param uncounted how many attempts do not count if the end of this one is never recorded;
 *     negative if attempts count several times
 */
record ExportAttempt(UUID repoId, UUID id, int number, long seq, UUID accountId, int uncounted)
    implements JobAttempt {
  @Override
  public WorkTarget target() {
    return WorkTarget.ofTenant(accountId, ExportKind.EXECUTOR);
  }

  @Override
  public Map<String, Object> logIds() {
    return Map.of("repoId", repoId, "exportId", id, "attempt", number);
  }

  @Override
  public String toString() {
    return "export %s, attempt %d".formatted(id, number);
  }
}
