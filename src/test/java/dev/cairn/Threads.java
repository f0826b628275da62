package dev.cairn;

import java.util.concurrent.Executor;

/** Threads for requests that a test sends beside its own work. */
public final class Threads {
  /**
   * A new thread for each task: with two processors, the common pool has two threads, and one
   * request that waits for a lock keeps those of other tests from being sent.
   */
  public static final Executor OWN = task -> Thread.ofPlatform().daemon().start(task);

  private Threads() {}
}
