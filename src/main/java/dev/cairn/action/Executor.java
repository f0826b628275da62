package dev.cairn.action;

/**
 * One way to carry out an attempt. Each is a bean; the run's {@code executorKind} chooses among
 * them.
 */
public interface Executor {
  /** The {@code executorKind} of the runs that it carries out. */
  String kind();

  /**
   * Carries out an attempt, blocking, on a virtual thread, within time limits of its own; the
   * attempt's lease is kept while it works. The same run may be attempted again, also where it was
   * carried out before and only its outcome got lost.
   *
   * @throws InterruptedException when the service stops, as it must soon after it was interrupted;
   *     the attempt is then given back and made again elsewhere
   */
  Outcome execute(Attempt attempt) throws InterruptedException;
}
