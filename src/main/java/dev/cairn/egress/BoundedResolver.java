package dev.cairn.egress;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.cairn.platform.Deadline;
import dev.cairn.platform.limiter.FairShare;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Resolves names within a time limit. On platform threads of its own: the system's resolver holds
 * the carrier of a virtual thread for as long as it waits, and slow name servers, which anyone can
 * have, would stop all other work. For the same reason requesters share these threads fairly, and a
 * look-up counts until its thread is free again, even if nobody waits for it any more. A name whose
 * addresses are known needs no thread.
 */
// Caffeine finds the classes of a cache by name, so a native image needs them registered.
@RegisterForReflection(
    classNames = {
      "com.github.benmanes.caffeine.cache.SSMWW",
      "com.github.benmanes.caffeine.cache.PSWMW"
    })
final class BoundedResolver {
  static final int THREADS = 32;

  /** About 3 MB. */
  private static final int MAX_KNOWN_ADDRESSES = 20_000;

  private final NameResolver resolver;
  private final ThreadPoolExecutor threads;
  private final FairShare<String> shares = new FairShare<>(THREADS);
  private final Cache<String, List<InetAddress>> known;

  /** Remembers the addresses of a name for as long as {@code fresh}. */
  BoundedResolver(NameResolver resolver, Duration fresh) {
    this.resolver = resolver;
    this.threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            30,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("cairn-resolver-", 0).factory());
    threads.allowCoreThreadTimeOut(true);
    this.known =
        Caffeine.newBuilder()
            .expireAfterWrite(fresh)
            .maximumWeight(MAX_KNOWN_ADDRESSES)
            .weigher((String _, List<InetAddress> addresses) -> addresses.size())
            .executor(Runnable::run)
            .build();
  }

  /**
   * All addresses of {@code host}, at least one.
   *
   * @param requester whose share of the threads a look-up takes
   */
  List<InetAddress> resolve(String requester, String host, Deadline deadline)
      throws NetworkException, InterruptedException {
    var present = known.getIfPresent(host);
    if (present != null) {
      return present;
    }
    var addresses =
        lookUp(requester, host, deadline).stream().map(BoundedResolver::nameless).toList();
    if (addresses.isEmpty()) {
      throw new NetworkException(NetworkFault.RESOLUTION);
    }
    known.put(host, addresses);
    return addresses;
  }

  /** How many look-ups wait for a thread. */
  int waiting() {
    return shares.waiting();
  }

  private List<InetAddress> lookUp(String requester, String host, Deadline deadline)
      throws NetworkException, InterruptedException {
    var answer = begin(requester, host, deadline);
    try {
      return answer.get(deadline.nanosLeft(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw new NetworkException(NetworkFault.RESOLUTION);
    } catch (TimeoutException e) {
      throw new NetworkException(NetworkFault.TIMEOUT);
    } finally {
      answer.cancel(false);
    }
  }

  private FutureTask<List<InetAddress>> begin(String requester, String host, Deadline deadline)
      throws NetworkException, InterruptedException {
    if (!shares.begin(requester, Duration.ofNanos(deadline.nanosLeft()))) {
      if (Thread.interrupted()) {
        throw new InterruptedException("the look-up was cancelled");
      }
      throw new NetworkException(NetworkFault.BUSY);
    }
    var answer = new FutureTask<>(() -> resolver.resolve(host));
    threads.execute(
        () -> {
          try {
            answer.run();
          } finally {
            shares.end(requester);
          }
        });
    return answer;
  }

  /** Without the name, by which the HTTP client would otherwise distinguish servers. */
  private static InetAddress nameless(InetAddress address) {
    try {
      return InetAddress.getByAddress(address.getAddress());
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address has 4 or 16 bytes", e);
    }
  }
}
