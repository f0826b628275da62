package dev.cairn.access;

import dev.cairn.model.Problem;
import java.util.function.Supplier;

/**
 * Limits the queries that authorize callers without credentials, since anybody can ask for them, on
 * as many connections as there are. See {@code docs/limits.md}, Database connections.
 */
public interface LookUpLimit {
  /**
   * Runs a query when it is its turn, among the reads of the caller's network address. Must be
   * called before the first connection is taken, and not within a read.
   *
   * @throws Problem {@code UNAVAILABLE} if its turn does not come in time
   */
  <T> T lookUp(Caller.Anonymous caller, Supplier<T> query);
}
