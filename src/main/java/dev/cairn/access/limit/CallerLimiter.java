package dev.cairn.access.limit;

import dev.cairn.access.Caller;
import dev.cairn.model.Problem;
import dev.cairn.platform.http.NetworkAddress;
import dev.cairn.platform.limiter.FairShare;
import dev.cairn.platform.limiter.KeyedLimiter;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Bounds the concurrent work for one caller, and that for all accounts and for all callers without
 * credentials each: strangers take no places of accounts.
 */
public final class CallerLimiter {
  private final KeyedLimiter<String> accounts;
  private final KeyedLimiter<String> addresses;

  /**
   * A limiter.
   *
   * @param maxOfCaller how much work may be under way for an account or network address
   * @param maxUsers how much of it may be under way or wait
   * @param maxOfKind how much may be under way for all accounts, and for all addresses
   * @param reserved how many places of each kind are only for callers that used little time
   *     recently
   */
  public CallerLimiter(int maxOfCaller, int maxUsers, int maxOfKind, int reserved) {
    this.accounts = new KeyedLimiter<>(maxOfCaller, maxUsers, maxOfKind, reserved);
    this.addresses =
        new KeyedLimiter<>(
            maxOfCaller, maxUsers, new FairShare<>(maxOfKind, reserved, NetworkAddress::enclosing));
  }

  /**
   * Does work when it is its turn; must be called before the first connection is taken.
   *
   * @param wait for how long to wait for the turn
   * @param refusal what is thrown if the turn does not come in time, or if too much work waits
   */
  public <T> T call(Caller caller, Duration wait, Supplier<T> work, Supplier<Problem> refusal) {
    var limiter =
        switch (caller) {
          case Caller.SignedIn _ -> accounts;
          case Caller.Anonymous _ -> addresses;
        };
    return limiter.call(caller.limitKey(), wait, work, refusal);
  }

  /** How much work waits for its turn. */
  int waiting() {
    return accounts.waiting() + addresses.waiting();
  }
}
