package dev.cairn.action;

/**
 * One way to carry out an attempt. Each is a bean; the run's {@code executorKind} chooses among
 * them.
 */
public interface Executor {
  /** The {@code executorKind} of the runs that it carries out. */
  String kind();

  /**
   * Carries out an attempt, blocking, on a virtual thread, within time limits of its own; where its
   * action goes on elsewhere, it begins that and does not wait for it. The attempt's lease is kept
   * until its outcome. The same run may be attempted again, also where it was carried out before
   * and only its outcome got lost.
   *
   * @throws InterruptedException when the service stops, as it must soon after it was interrupted;
   *     the attempt is then given back and made again elsewhere
   */
  Step execute(Attempt attempt) throws InterruptedException;
}
