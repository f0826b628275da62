import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** Many connections at once, on each of which the same is done until the flood ends. */
final class Flood implements AutoCloseable {
  /** How many addresses the connections come from. */
  static final int ADDRESSES = Integer.getInteger("addresses", 1);

  private static final String CLOSED = "closed or refused";
  private static final String HELD = "held to the end";
  private static final Duration GRACE = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Service service;
  private final int addresses;
  private final Thread[] threads;
  private final CountDownLatch end = new CountDownLatch(1);
  private final Tally outcomes = new Tally();
  private final AtomicLong bytesSent = new AtomicLong();

  /** What is done on one connection. */
  @FunctionalInterface
  interface Caller {
    /**
     * Sends until the flood is over or the connection is of no use any more.
     *
     * @throws IOException if the connection was closed or refused
     */
    void call(RawConnection connection, Flood flood) throws IOException;
  }

  private Flood(Service service, int connections, int addresses) {
    this.service = service;
    this.addresses = addresses;
    this.threads = new Thread[connections];
  }

  /** Whether this process, and so the service too, may open this many connections. */
  static boolean canOpen(int connections) {
    return !(ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.UnixOperatingSystemMXBean system)
        || system.getMaxFileDescriptorCount() > connections + 500;
  }

  /** Opens this number of connections, each once. */
  static Flood once(Service service, int connections, Caller caller) {
    return once(service, connections, ADDRESSES, caller);
  }

  /** The same from a number of addresses of its own. */
  static Flood once(Service service, int connections, int addresses, Caller caller) {
    return start(service, connections, addresses, caller, false);
  }

  /** The same, and each connection that ends is opened again. */
  static Flood repeatedly(Service service, int connections, Caller caller) {
    return repeatedly(service, connections, ADDRESSES, caller);
  }

  /** The same from a number of addresses of its own. */
  static Flood repeatedly(Service service, int connections, int addresses, Caller caller) {
    return start(service, connections, addresses, caller, true);
  }

  private static Flood start(
      Service service,
      int connections,
      int addresses,
      Caller caller,
      boolean opensConnectionsAgain) {
    var flood = new Flood(service, connections, addresses);
    for (int i = 0; i < connections; i++) {
      var from = Loopback.number(1 + i % addresses);
      flood.threads[i] =
          Thread.startVirtualThread(() -> flood.call(from, caller, opensConnectionsAgain));
    }
    return flood;
  }

  private void call(InetAddress from, Caller caller, boolean opensConnectionsAgain) {
    do {
      try (var connection = new RawConnection(service, from)) {
        caller.call(connection, this);
        if (opensConnectionsAgain) {
          count(HELD);
        }
      } catch (IOException e) {
        count(isOver() ? HELD : CLOSED);
        pause();
      }
    } while (opensConnectionsAgain && !isOver());
  }

  /** A refused connection is not asked for again at once. */
  private static void pause() {
    try {
      Thread.sleep(10);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether it is time to end. */
  boolean isOver() {
    return end.getCount() == 0;
  }

  /** Counts what came of something. */
  void count(String outcome) {
    outcomes.add(outcome);
  }

  /** Counts bytes that were sent. */
  void sent(long bytes) {
    bytesSent.addAndGet(bytes);
  }

  /**
   * Waits for an answer until the flood is over, and counts what came.
   *
   * @param pause after this time without an answer another byte is sent; none if it is zero
   */
  void awaitAnswer(RawConnection connection, Duration pause) throws IOException {
    while (!isOver()) {
      int status = connection.status(pause.isZero() ? Duration.ofMillis(500) : pause);
      if (status >= 0) {
        count(status == 0 ? CLOSED : "" + status);
        return;
      }
      if (!pause.isZero()) {
        connection.send(" ");
      }
    }
    count(HELD);
  }

  /** Hangs up on all connections that are still open. */
  @Override
  public void close() {
    end.countDown();
    try {
      long deadline = System.nanoTime() + GRACE.toNanos();
      for (var thread : threads) {
        if (!thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())))) {
          // It waits until the service reads: the interrupt closes its connection.
          thread.interrupt();
        }
      }
      deadline = System.nanoTime() + PATIENCE.toNanos();
      for (var thread : threads) {
        thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
      }
    } catch (InterruptedException e) {
      for (var thread : threads) {
        thread.interrupt();
      }
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    parts.add("%,d MB sent on %,d connections".formatted(bytesSent.get() >> 20, threads.length));
    if (addresses > 1) {
      parts.add("from " + addresses + " addresses");
    }
    if (outcomes.total() > 0) {
      parts.add(outcomes.toString());
    }
    return String.join("; ", parts);
  }
}
