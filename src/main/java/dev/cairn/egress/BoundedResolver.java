package dev.cairn.egress;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Resolves names within a time limit. On platform threads of its own: the system's resolver holds
 * the carrier of a virtual thread for as long as it waits, and a few slow name servers, which
 * anyone can have, would stop everything else.
 */
final class BoundedResolver {
  private static final int THREADS = 32;

  private final NameResolver resolver;
  private final ThreadPoolExecutor threads;

  BoundedResolver(NameResolver resolver) {
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
  }

  /** All addresses of {@code host}, at least one. */
  List<InetAddress> resolve(String host, Deadline deadline)
      throws NetworkException, InterruptedException {
    var answer = threads.submit(() -> resolver.resolve(host));
    try {
      var addresses = answer.get(deadline.nanosLeft(), TimeUnit.NANOSECONDS);
      if (addresses.isEmpty()) {
        throw new NetworkException(NetworkFault.RESOLUTION);
      }
      return addresses.stream().map(BoundedResolver::nameless).toList();
    } catch (ExecutionException e) {
      throw new NetworkException(NetworkFault.RESOLUTION);
    } catch (TimeoutException e) {
      throw new NetworkException(NetworkFault.TIMEOUT);
    } finally {
      answer.cancel(false);
    }
  }

  /** Without the name, by which the HTTP client would otherwise tell servers apart. */
  private static InetAddress nameless(InetAddress address) {
    try {
      return InetAddress.getByAddress(address.getAddress());
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address has 4 or 16 bytes", e);
    }
  }
}
