package dev.cairn.action;

import dev.cairn.work.Step;

/**
 * One way to carry out an attempt. Each is a bean; the run's {@code executorKind} chooses among
 * them.
 */
public interface Executor {
  /** The {@code executorKind} of the runs that it carries out. */
  String kind();

  /**
   * Carries out an attempt, blocking, on a virtual thread, within time limits of its own. If its
   * action continues elsewhere, it begins that and does not wait for it. The attempt's lease is
   * renewed until its outcome. The same run may be attempted again, even if it was carried out
   * before and only its outcome was lost.
   *
   * @throws InterruptedException if the attempt is cancelled, because the service stops or another
   *     worker has the run; must be thrown soon after the thread was interrupted
   */
  Step<Outcome> execute(Attempt attempt) throws InterruptedException;
}
