package dev.cairn.work;

/** An attempt at a job of a {@link JobQueue}. */
public interface JobAttempt extends WorkItem {
  /** The number of the attempt, counted from 1 over all replicas. */
  int number();
}
