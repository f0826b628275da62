package dev.cairn.access.limit;

import dev.cairn.access.Caller;
import dev.cairn.access.LookUpLimit;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.http.NetworkAddress;
import dev.cairn.platform.limiter.FairShare;
import dev.cairn.platform.limiter.KeyedLimiter;
import dev.cairn.platform.memory.AnswerTurn;
import dev.cairn.platform.memory.WaitingRequests;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Limits what reads take of the database. Each query has a time limit that depends on the caller.
 * All reads together get three quarters of the connections, so that the rest is left to commits and
 * authorization. Reads of accounts get at most half of the connections, and so do reads without
 * credentials. One account, or one network address without credentials, gets at most a quarter, and
 * less while others read: no more connections than stay free of its half. The last fifth of each
 * part is reserved for owners that used little time recently, and a query that begins there has a
 * short time limit, so that small reads do not wait for large ones. Without credentials, the more
 * networks wait, the shorter the limit is, so that each gets a turn in time. See {@code
 * docs/limits.md}, Fair shares.
 *
 * <p>The query that authorizes a caller without credentials takes a turn of a read too, of its own,
 * since it comes before the read. It has none for the answer, which it does not make.
 *
 * <p>A read of REST also takes a turn that ends when its answer is handed to the connection. There
 * are twice as many of these turns, so that the next read is in the database while an answer is
 * written.
 */
@ApplicationScoped
public class ReadBounds implements LookUpLimit {
  /** Bound during a turn of a caller without credentials, so that none waits for a second one. */
  private static final ScopedValue<Boolean> IN_TURN = ScopedValue.newInstance();

  private static final Duration ACCOUNT_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration ANONYMOUS_TIMEOUT = Duration.ofSeconds(3);

  /** The time limit of a query that begins while only reserved connections are free. */
  private static final Duration SCARCE_TIMEOUT = Duration.ofSeconds(2);

  /** Within this time each network that waits should get a turn: queries are cut short for that. */
  private static final Duration SHARED_WAIT = Duration.ofSeconds(3);

  /** But not below this one, which leaves small reads their time. */
  private static final Duration MIN_TIMEOUT = Duration.ofMillis(50);

  /** How long a read waits for all of its turns together. */
  private static final Duration MAX_WAIT = Duration.ofSeconds(5);

  // Denominators of parts of the connections to the database.
  private static final int POOL_FRACTION_OF_CALLER = 4;
  private static final int POOL_FRACTION_OF_KIND = 2;
  private static final int POOL_FRACTION_OF_OTHERS = 4;
  private static final int POOL_FRACTION_OF_VERIFICATIONS = 20;
  private static final int POOL_FRACTION_OF_DOWNLOADS = 10;

  /** The part of a share that is reserved for owners with little recent use, as its denominator. */
  private static final int RESERVED_FRACTION = 5;

  /** A repository that stores this much is verified in about a second. */
  private static final long MAX_BYTES_OF_SHORT_VERIFICATION = 16L * 1024 * 1024;

  /** How many reads of one account or one network address may run or wait. */
  static final int MAX_OF_CALLER = 256;

  /** How many answers there may be for each read in the database. */
  private static final int ANSWERS_OF_READ = 2;

  private final WaitingRequests requests;
  private final KeyedLimiter<String> accounts;
  private final KeyedLimiter<String> addresses;
  private final KeyedLimiter<String> answersToAccounts;
  private final KeyedLimiter<String> answersToAddresses;
  private final KeyedLimiter<String> shortVerifications;
  private final KeyedLimiter<String> longVerifications;
  private final KeyedLimiter<String> downloads;
  private final KeyedLimiter<String> searchesOfAccounts;
  private final KeyedLimiter<String> searchesOfAddresses;
  private final KeyedLimiter<String> all;

  ReadBounds(CairnConfig config, WaitingRequests requests, MeterRegistry metrics) {
    this.requests = requests;
    int ofCaller = KeyedLimiter.part(config, POOL_FRACTION_OF_CALLER);
    int ofKind = KeyedLimiter.part(config, POOL_FRACTION_OF_KIND);
    int ofAll = config.database().poolSize() - KeyedLimiter.part(config, POOL_FRACTION_OF_OTHERS);
    int ofAnswers = ANSWERS_OF_READ * ofCaller;
    int answers = ANSWERS_OF_READ * ofKind;
    this.accounts = ofAccounts(ofCaller, ofKind, ofKind / RESERVED_FRACTION);
    this.addresses = ofAddresses(ofCaller, ofKind, ofKind / RESERVED_FRACTION);
    this.answersToAccounts = ofAccounts(ofAnswers, answers, answers / RESERVED_FRACTION);
    this.answersToAddresses = ofAddresses(ofAnswers, answers, answers / RESERVED_FRACTION);
    this.shortVerifications = ofOneEach(config, POOL_FRACTION_OF_VERIFICATIONS);
    int longOnes = 2 * KeyedLimiter.part(config, POOL_FRACTION_OF_VERIFICATIONS);
    this.longVerifications = ofAccounts(1, longOnes, longOnes / 2);
    this.downloads = ofOneEach(config, POOL_FRACTION_OF_DOWNLOADS);
    int searches = Math.max(2, Runtime.getRuntime().availableProcessors());
    this.searchesOfAccounts = ofAccounts(1, searches, searches / 2);
    this.searchesOfAddresses = ofAddresses(1, searches, searches / 2);
    this.all = new KeyedLimiter<>(ofAll, Integer.MAX_VALUE, ofAll, ofAll / RESERVED_FRACTION);
    Gauge.builder(
            "cairn.reads.anonymous.waiting",
            () -> addresses.waiting() + answersToAddresses.waiting())
        .description("Reads without credentials that wait for their turn in this replica")
        .register(metrics);
    Gauge.builder(
            "cairn.reads.accounts.waiting", () -> accounts.waiting() + answersToAccounts.waiting())
        .description("Reads of accounts that wait for their turn in this replica")
        .register(metrics);
    Gauge.builder(
            "cairn.reads.waiting",
            () ->
                shortVerifications.waiting()
                    + longVerifications.waiting()
                    + downloads.waiting()
                    + searchesOfAccounts.waiting()
                    + searchesOfAddresses.waiting()
                    + all.waiting())
        .description(
            "Verifications, reads of downloads, searches, and reads among those of all callers, that"
                + " wait for their turn")
        .register(metrics);
  }

  private static KeyedLimiter<String> ofOneEach(CairnConfig config, int fraction) {
    return new KeyedLimiter<>(1, MAX_OF_CALLER, KeyedLimiter.part(config, fraction));
  }

  private static KeyedLimiter<String> ofAccounts(int ofEach, int ofAll, int reserved) {
    return new KeyedLimiter<>(ofEach, MAX_OF_CALLER, ofAll, reserved);
  }

  /** Shared fairly between wide networks: one holder may have many addresses in one. */
  private static KeyedLimiter<String> ofAddresses(int ofEach, int ofAll, int reserved) {
    return new KeyedLimiter<>(
        ofEach, MAX_OF_CALLER, new FairShare<>(ofAll, reserved, NetworkAddress::enclosing));
  }

  /** Runs a read; to be called before the first connection is taken. */
  public <T> T within(RepositoryAccess access, Supplier<T> read) {
    return within(access.caller(), read);
  }

  /** The same for reads outside of repositories. */
  public <T> T within(Caller caller, Supplier<T> read) {
    return within(caller, endOfWait(), read);
  }

  private <T> T within(Caller caller, long end, Supplier<T> read) {
    return switch (caller) {
      case Caller.SignedIn account ->
          within(
              accounts,
              account.accountId().toString(),
              ACCOUNT_TIMEOUT,
              end,
              read,
              ReadBounds::busyAccount,
              owner -> beginAnswer(answersToAccounts, owner, end, ReadBounds::busyAccount));
      case Caller.Anonymous nobody ->
          withoutCredentials(
              nobody,
              end,
              read,
              owner -> beginAnswer(answersToAddresses, owner, end, ReadBounds::busyAnonymous));
    };
  }

  private static void beginAnswer(
      KeyedLimiter<String> answers, String owner, long end, Supplier<Problem> busy) {
    AnswerTurn.begin(() -> answers.begin(owner, 1, until(end), busy));
  }

  @Override
  public <T> T lookUp(Caller.Anonymous caller, Supplier<T> query) {
    return IN_TURN.isBound()
        ? query.get()
        : withoutCredentials(caller, endOfWait(), query, _ -> {});
  }

  private <T> T withoutCredentials(
      Caller.Anonymous caller, long end, Supplier<T> read, Consumer<String> beginAnswer) {
    return within(
        addresses,
        caller.limitKey(),
        ANONYMOUS_TIMEOUT,
        end,
        () -> ScopedValue.where(IN_TURN, true).call(read::get),
        ReadBounds::busyAnonymous,
        beginAnswer);
  }

  private <T> T within(
      KeyedLimiter<String> kind,
      String owner,
      Duration limit,
      long end,
      Supplier<T> read,
      Supplier<Problem> busy,
      Consumer<String> beginAnswer) {
    Supplier<T> bounded = () -> Database.within(timeout(kind, timeout(all, limit)), read);
    return requests.untilGone(
        over -> {
          beginAnswer.accept(owner);
          Supplier<T> afterWait =
              () -> {
                over.run();
                return bounded.get();
              };
          return amongAll(kind, owner, end, afterWait, busy);
        });
  }

  /**
   * Runs a search, which may take seconds of processor time to rank, or a read with conditions on
   * fields, which may take as long to examine all: one at a time for an account or a network
   * address, and no more than there are processors for all accounts and for all addresses, half of
   * which are reserved. To be called before the first connection is taken.
   */
  public <T> T searching(RepositoryAccess access, Supplier<T> search) {
    return switch (access.caller()) {
      case Caller.SignedIn _ -> searching(searchesOfAccounts, access, search);
      case Caller.Anonymous _ -> searching(searchesOfAddresses, access, search);
    };
  }

  private <T> T searching(
      KeyedLimiter<String> searches, RepositoryAccess access, Supplier<T> search) {
    long end = endOfWait();
    return requests.untilGone(
        over ->
            searches.call(
                access.caller().limitKey(),
                MAX_WAIT,
                () -> {
                  over.run();
                  return within(
                      access.caller(),
                      end,
                      () -> Database.within(timeout(searches, ACCOUNT_TIMEOUT), search));
                },
                () -> busy("searches", "wait for yours")));
  }

  /**
   * Runs a verification, which has its own time limit. Those of large and of small repositories
   * have their own places, so that the latter do not wait for the former: in each, one at a time
   * for an account, and few for all accounts. To be called before the first connection is taken.
   *
   * @param bytes finds how much the repository stores
   */
  public <T> T verifying(RepositoryAccess access, Supplier<Long> bytes, Supplier<T> verification) {
    boolean isShort = within(access, bytes) <= MAX_BYTES_OF_SHORT_VERIFICATION;
    return requests.untilGone(
        over ->
            amongAll(
                isShort ? shortVerifications : longVerifications,
                access.account().accountId().toString(),
                () -> {
                  over.run();
                  return verification.get();
                },
                () -> busy("verifications", "wait for yours")));
  }

  /**
   * Runs a short read of a download: one at a time for an account, and few for all accounts. To be
   * called before the first connection is taken.
   */
  public <T> T downloading(UUID account, Supplier<T> read) {
    return amongAll(
        downloads,
        account.toString(),
        () -> Database.within(ACCOUNT_TIMEOUT, read),
        () -> busy("reads of downloads", "wait for some"));
  }

  /** The time limit of a query that begins now. */
  private Duration timeout(KeyedLimiter<String> turns, Duration limit) {
    var most = turns.isScarce() ? shorter(SCARCE_TIMEOUT, limit) : limit;
    if (turns != addresses && turns != searchesOfAddresses) {
      return most;
    }
    return turns
        .shareOf(SHARED_WAIT)
        .map(share -> share.compareTo(MIN_TIMEOUT) < 0 ? MIN_TIMEOUT : shorter(most, share))
        .orElse(most);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private <T> T amongAll(
      KeyedLimiter<String> kind, String owner, Supplier<T> read, Supplier<Problem> busy) {
    return amongAll(kind, owner, endOfWait(), read, busy);
  }

  private <T> T amongAll(
      KeyedLimiter<String> kind, String owner, long end, Supplier<T> read, Supplier<Problem> busy) {
    return kind.call(owner, until(end), () -> all.call(owner, until(end), read, busy), busy);
  }

  private static long endOfWait() {
    return System.nanoTime() + MAX_WAIT.toNanos();
  }

  private static Duration until(long end) {
    return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
  }

  /**
   * Runs a read that is bounded elsewhere, among all reads; to be called before the first
   * connection is taken.
   *
   * @param busy what is thrown if its turn does not come in time
   */
  public <T> T amongAll(UUID account, Supplier<T> read, Supplier<Problem> busy) {
    return all.call(account.toString(), MAX_WAIT, read, busy);
  }

  private static Problem busyAccount() {
    return busy("reads of your account", "wait for some");
  }

  private static Problem busyAnonymous() {
    return busy("reads without credentials", "sign in");
  }

  private static Problem busy(String what, String advice) {
    return Problem.of(
        ErrorCode.UNAVAILABLE,
        "Too many %s at this moment; %s, or try again.".formatted(what, advice));
  }
}
