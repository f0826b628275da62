package dev.cairn.work;

/**
 * How far an attempt has come: it has ended, or its action is {@link Ongoing} elsewhere.
 *
 * @param <R> the result of an attempt
 */
public sealed interface Step<R> permits Step.Ended, Ongoing {
  /** The attempt has ended with a result. */
  record Ended<R>(R result) implements Step<R> {}
}
