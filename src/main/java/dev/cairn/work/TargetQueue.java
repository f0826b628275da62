package dev.cairn.work;

/**
 * The work that waits for one target.
 *
 * @param isUrgent whether it begins also while the circuit of the target is open
 * @param isOpen whether the circuit of the target is open
 * @param isProbe whether one item may begin, to find out whether the target answers again
 * @param version of the target's row, which a probe of another worker changes; null if there is no
 *     row
 */
public record TargetQueue(
    WorkTarget target, boolean isUrgent, boolean isOpen, boolean isProbe, String version) {

  /** The queue of a target without a circuit breaker. */
  public static TargetQueue of(WorkTarget target) {
    return new TargetQueue(target, true, false, false, null);
  }
}
