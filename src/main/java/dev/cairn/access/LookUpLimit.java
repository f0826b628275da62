package dev.cairn.access;

import dev.cairn.model.Problem;
import java.util.function.Supplier;

/**
 * Limits the queries that authorize callers without credentials, or find the session of a browser
 * or a client of OAuth: anybody can ask for them on thousands of connections. See {@code
 * docs/limits.md}, Database connections.
 */
public interface LookUpLimit {
  /**
   * Runs a query when it is its turn, among the reads of the caller's network address; within a
   * read, which has its turn, at once. Must be called before the first connection is taken.
   *
   * @throws Problem {@code UNAVAILABLE} if its turn does not come in time
   */
  <T> T lookUp(Caller.Anonymous caller, Supplier<T> query);
}
