package dev.cairn.access.authentication;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.limiter.FairShare;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.security.crypto.argon2.Argon2PasswordEncoder;

/**
 * Argon2id, with 19 MiB, two passes and one lane, as OWASP recommends for interactive sign-in.
 *
 * <p>It occupies a processor for some hundredths of a second without blocking, so on virtual
 * threads it would keep all other requests waiting. So it has a few platform threads of its own,
 * half as many as there are processors, shared fairly as {@link PasswordTurn} describes. Callers
 * wait, so they must not hold a connection. See {@code docs/limits.md}, Sign-ins.
 */
@Singleton
class PasswordHashing {
  private static final int MAX_WAITING = 1024;
  private static final Duration MAX_WAIT = Duration.ofSeconds(10);

  /**
   * How long used time counts, on average: long enough that sign-ins of an address a few times a
   * minute still count.
   */
  private static final Duration DECAY_TIME = Duration.ofMinutes(1);

  private final Argon2PasswordEncoder encoder = new Argon2PasswordEncoder(16, 32, 1, 19_456, 2);

  private final ThreadPoolExecutor threads;
  private final FairShare<PasswordTurn> turns;
  private final Counter refused;

  /**
   * The hash to compare with if there is no account, so that both cases take the same time. It is a
   * constant, because computing it would double the start time; it has the parameters above.
   */
  static final String NOBODY =
      "$argon2id$v=19$m=19456,t=2,p=1$PNC9zw7mn69i8f6bJ5oQZw$ilWtdA4G9P63BXuD1gR7zRQZkxj+CXuypIsOl/85r9o";

  @Inject
  PasswordHashing(MeterRegistry metrics) {
    this(Math.max(1, Runtime.getRuntime().availableProcessors() / 2), MAX_WAITING, metrics);
  }

  /**
   * With other limits.
   *
   * @param maxWaiting how many passwords may wait
   */
  PasswordHashing(int count, int maxWaiting, MeterRegistry metrics) {
    turns = new FairShare<>(count, DECAY_TIME, maxWaiting, PasswordTurn::levels);
    threads =
        new ThreadPoolExecutor(
            count,
            count,
            1,
            TimeUnit.MINUTES,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().name("passwords-", 0).daemon().factory());
    threads.allowCoreThreadTimeOut(true);
    Gauge.builder("cairn.passwords.waiting", turns, FairShare::waiting)
        .description("Passwords that wait in this replica to be hashed or checked")
        .register(metrics);
    refused =
        Counter.builder("cairn.passwords.refused")
            .description("Passwords that were neither hashed nor checked because too many waited")
            .register(metrics);
  }

  /**
   * The PHC string of a password.
   *
   * @throws Problem {@code UNAVAILABLE} if too many others wait
   */
  String hash(String password, PasswordTurn turn) {
    return call(turn, () -> encoder.encode(password));
  }

  /**
   * Whether the password matches the hash; if the hash is null, false after the same work.
   *
   * @throws Problem {@code UNAVAILABLE} if too many others wait
   */
  boolean matches(String password, String hash, PasswordTurn turn) {
    var found = call(turn, () -> encoder.matches(password, hash == null ? NOBODY : hash));
    return found && hash != null;
  }

  <T> T call(PasswordTurn turn, Callable<T> work) {
    if (!turns.begin(turn, MAX_WAIT)) {
      throw busy();
    }
    try {
      return result(threads.submit(work));
    } finally {
      turns.end(turn);
    }
  }

  private Problem busy() {
    refused.increment();
    return Problem.of(
        ErrorCode.UNAVAILABLE, "Too many people are signing in at this moment; try again.");
  }

  private static <T> T result(Future<T> work) {
    try {
      return work.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a password could not be hashed", e.getCause());
    } catch (InterruptedException e) {
      work.cancel(false);
      Thread.currentThread().interrupt();
      throw Problem.of(ErrorCode.UNAVAILABLE, "The service is being stopped.");
    }
  }
}
