package dev.cairn.access;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.Database;
import dev.cairn.platform.NetworkAddress;
import dev.cairn.platform.Turns;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * What reads may take of the database. Each query has a time that depends on who asks. All reads
 * together get three quarters of the connections, so that the rest is left to commits and
 * authorization; those of accounts get half of the connections, and so do those that are sent
 * without credentials. One account, or one network address without credentials, gets a quarter, or
 * less while others use their part: no more than then stays free of that half. See {@code
 * docs/limits.md}, Time limits.
 */
@ApplicationScoped
public class ReadBounds {
  private static final Duration ACCOUNT = Duration.ofSeconds(10);
  private static final Duration ANONYMOUS = Duration.ofSeconds(3);

  /** For all turns of a read together. */
  private static final Duration WAIT = Duration.ofSeconds(5);

  private static final int SHARE_OF_CALLER = 4;
  private static final int SHARE_OF_KIND = 2;
  private static final int SHARE_OF_OTHERS = 4;
  private static final int SHARE_OF_VERIFICATIONS = 10;

  /** How many reads of one account, or one network address, may be under way and wait. */
  static final int MAX_OF_CALLER = 256;

  /** All reads are one. */
  private static final String READS = "reads";

  private final Turns<UUID> accounts;
  private final Turns<String> addresses;
  private final Turns<UUID> verifications;
  private final Turns<String> all;

  ReadBounds(CairnConfig config, MeterRegistry metrics) {
    int ofCaller = Turns.part(config, SHARE_OF_CALLER);
    int ofKind = Turns.part(config, SHARE_OF_KIND);
    this.accounts = new Turns<>(ofCaller, MAX_OF_CALLER, ofKind);
    this.addresses = new Turns<>(ofCaller, MAX_OF_CALLER, ofKind);
    this.verifications = new Turns<>(1, MAX_OF_CALLER, Turns.part(config, SHARE_OF_VERIFICATIONS));
    this.all = new Turns<>(config.database().poolSize() - Turns.part(config, SHARE_OF_OTHERS));
    Gauge.builder("cairn.reads.anonymous.waiting", addresses, Turns::waiting)
        .description("Reads without credentials that wait for their turn in this replica")
        .register(metrics);
    Gauge.builder("cairn.reads.accounts.waiting", accounts, Turns::waiting)
        .description("Reads of accounts that wait for their turn in this replica")
        .register(metrics);
    Gauge.builder("cairn.reads.waiting", () -> verifications.waiting() + all.waiting())
        .description(
            "Verifications, and reads among those of all callers, that wait for their turn")
        .register(metrics);
  }

  /** Runs a read; to be called before the first connection is taken. */
  public <T> T within(RepositoryAccess access, Supplier<T> read) {
    long end = System.nanoTime() + WAIT.toNanos();
    return switch (access.caller()) {
      case Caller.SignedIn account -> {
        Supplier<Problem> busy = () -> busy("reads of your account", "wait for some");
        yield accounts.inTurn(
            account.accountId(),
            WAIT,
            () -> amongAll(left(end), () -> Database.within(ACCOUNT, read), busy),
            busy);
      }
      case Caller.Anonymous nobody -> {
        Supplier<Problem> busy = () -> busy("reads without credentials", "sign in");
        yield addresses.inTurn(
            NetworkAddress.network(nobody.address()),
            WAIT,
            () -> amongAll(left(end), () -> Database.within(ANONYMOUS, read), busy),
            busy);
      }
    };
  }

  /**
   * Runs a verification, which has a time of its own: one at a time for an account, and few for all
   * of them. To be called before the first connection is taken.
   */
  public <T> T verifying(RepositoryAccess access, Supplier<T> verification) {
    Supplier<Problem> busy = () -> busy("verifications", "wait for yours");
    long end = System.nanoTime() + WAIT.toNanos();
    return verifications.inTurn(
        access.account().accountId(), WAIT, () -> amongAll(left(end), verification, busy), busy);
  }

  /**
   * Runs a read that is bounded elsewhere, among all reads; to be called before the first
   * connection is taken.
   *
   * @param busy what is thrown if its turn does not come in time
   */
  public <T> T amongAll(Supplier<T> read, Supplier<Problem> busy) {
    return amongAll(WAIT, read, busy);
  }

  private <T> T amongAll(Duration wait, Supplier<T> read, Supplier<Problem> busy) {
    return all.inTurn(READS, wait, read, busy);
  }

  private static Duration left(long end) {
    return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
  }

  private static Problem busy(String what, String advice) {
    return Problem.of(
        ErrorCode.UNAVAILABLE,
        "Too many %s at this moment; %s, or try again.".formatted(what, advice));
  }
}
