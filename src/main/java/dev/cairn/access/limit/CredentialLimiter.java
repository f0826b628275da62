package dev.cairn.access.limit;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.model.Sha256;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.http.NetworkAddress;
import dev.cairn.platform.limiter.KeyedLimiter;
import dev.cairn.platform.limiter.LockLimiter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;

/**
 * Opens the transactions that lock an account, a session, or a code or token that a client
 * exchanges, or make an account: sign-ins, sign-ups, OAuth grants, and changes of sessions,
 * personal access tokens and passwords. Many requests may name the same row, so they wait for one
 * another without a connection ({@link LockLimiter}), and have a quarter of the connections
 * together. See {@code docs/limits.md}, Database connections. Must not be called in a transaction:
 * work that waits for its turn holds no connection and no lock.
 */
@ApplicationScoped
public class CredentialLimiter {
  /** The denominator of the part of the connections to the database. */
  private static final int POOL_FRACTION = 4;

  private static final Duration MAX_WAIT = Duration.ofSeconds(5);

  private final Database database;
  private final LockLimiter limiter;

  CredentialLimiter(Database database, CairnConfig config, MeterRegistry metrics) {
    this.database = database;
    this.limiter =
        new LockLimiter(
            KeyedLimiter.part(config, POOL_FRACTION),
            CredentialLimiter::busy,
            CredentialLimiter::busy);
    Gauge.builder("cairn.credentials.waiting", limiter, LockLimiter::waiting)
        .description(
            "Sign-ins, sign-ups, token requests and changes of sessions and tokens that wait in this"
                + " replica for others of the same account, token or network address")
        .register(metrics);
  }

  /**
   * Changes what belongs to an account, in a transaction.
   *
   * @throws Problem {@code UNAVAILABLE} if other requests of the account take too long
   */
  public <T> T ofAccount(UUID accountId, Callable<T> change) {
    return call(accountId, accountId, change);
  }

  /**
   * Uses what a caller without an account sends, in a transaction.
   *
   * @param sent a code, a token, an e-mail address or a part of it: requests with the same one wait
   *     for one another
   * @param address the network address of the caller, whose requests share the connections
   * @throws Problem {@code UNAVAILABLE} if other requests with the same, or of the address, take
   *     too long
   */
  public <T> T ofAddress(String sent, String address, Callable<T> use) {
    return call(key(sent), key(NetworkAddress.network(address)), use);
  }

  private <T> T call(UUID locked, UUID owner, Callable<T> work) {
    return limiter.call(locked, owner, MAX_WAIT, () -> database.transaction(work));
  }

  private static UUID key(String text) {
    var hash = ByteBuffer.wrap(Sha256.of(text));
    return new UUID(hash.getLong(), hash.getLong());
  }

  private static Problem busy() {
    return Problem.of(
        ErrorCode.UNAVAILABLE,
        "Too many requests for one account, token or network address at this moment; try again.");
  }
}
