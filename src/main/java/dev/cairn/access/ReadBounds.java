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
 * What reads may take of the database: each query a time that depends on who asks, all reads that
 * are sent without credentials together no more than half of the connections, and those of one
 * account, or of one network address without credentials, no more than a quarter. So nobody's slow
 * reads keep the others from the rest. See {@code docs/operation.md}, Limits.
 */
@ApplicationScoped
public class ReadBounds {
  private static final Duration ACCOUNT = Duration.ofSeconds(10);
  private static final Duration ANONYMOUS = Duration.ofSeconds(3);
  private static final int SHARE_OF_CALLER = 4;
  private static final int SHARE_OF_ANONYMOUS = 2;

  /** How many reads of one account, or one network address, may be under way and wait. */
  static final int MAX_OF_CALLER = 256;

  /** All without credentials are one. */
  private static final String NOBODY = "nobody";

  private final Turns<UUID> accounts;
  private final Turns<String> addresses;
  private final Turns<String> anonymous;

  ReadBounds(CairnConfig config, MeterRegistry metrics) {
    this.accounts = new Turns<>(config, SHARE_OF_CALLER, MAX_OF_CALLER);
    this.addresses = new Turns<>(config, SHARE_OF_CALLER, MAX_OF_CALLER);
    this.anonymous = new Turns<>(config, SHARE_OF_ANONYMOUS);
    Gauge.builder("cairn.reads.anonymous.waiting", () -> addresses.waiting() + anonymous.waiting())
        .description("Reads without credentials that wait for their turn in this replica")
        .register(metrics);
    Gauge.builder("cairn.reads.accounts.waiting", accounts, Turns::waiting)
        .description("Reads of accounts that wait in this replica for others of their account")
        .register(metrics);
  }

  /** Runs a read; to be called before the first connection is taken. */
  public <T> T within(RepositoryAccess access, Supplier<T> read) {
    var most =
        switch (access.caller()) {
          case Caller.SignedIn _ -> ACCOUNT;
          case Caller.Anonymous _ -> ANONYMOUS;
        };
    return inTurn(access, () -> Database.within(most, read));
  }

  /** Runs a read that has a time of its own; to be called before the first connection is taken. */
  public <T> T inTurn(RepositoryAccess access, Supplier<T> read) {
    return switch (access.caller()) {
      case Caller.SignedIn account ->
          accounts.inTurn(
              account.accountId(), read, () -> busy("of your account", "wait for some"));
      case Caller.Anonymous nobody -> {
        Supplier<Problem> busy = () -> busy("without credentials", "sign in");
        yield addresses.inTurn(
            NetworkAddress.network(nobody.address()),
            () -> anonymous.inTurn(NOBODY, read, busy),
            busy);
      }
    };
  }

  private static Problem busy(String whose, String advice) {
    return Problem.of(
        ErrorCode.UNAVAILABLE,
        "Too many reads %s at this moment; %s, or try again.".formatted(whose, advice));
  }
}
