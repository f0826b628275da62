package dev.cairn.work;

import java.util.Map;
import java.util.UUID;

/**
 * A row of work that a worker has claimed, in its present attempt. Its {@code toString} appears in
 * the log, so it contains no secret.
 */
public interface WorkItem {
  /** The repository that the work belongs to. */
  UUID repoId();

  /** Identifies the row within its kind of work. */
  UUID id();

  /** What it calls or uses; {@link Slots} shares the slots among targets. */
  WorkTarget target();

  /** The fields that each line of the log about it has. */
  Map<String, Object> logIds();
}
