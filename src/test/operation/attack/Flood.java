import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** Many connections with a request whose body is announced and never finished. */
final class Flood implements AutoCloseable {
  private static final int PIECE = 16 * 1024;
  private static final byte[] BLANKS = blanks();

  private final Service service;
  private final Thread[] threads;
  private final CountDownLatch end = new CountDownLatch(1);
  private final Tally outcomes = new Tally();
  private final AtomicLong bytesSent = new AtomicLong();

  private Flood(Service service, int connections) {
    this.service = service;
    this.threads = new Thread[connections];
  }

  private static byte[] blanks() {
    var blanks = new byte[PIECE];
    Arrays.fill(blanks, (byte) ' ');
    return blanks;
  }

  /** Whether this process, and so the service too, may open this many connections. */
  static boolean canOpen(int connections) {
    return !(ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.UnixOperatingSystemMXBean system)
        || system.getMaxFileDescriptorCount() > connections + 500;
  }

  /** Opens the connections from this number of addresses and sends a part of the body on each. */
  static Flood start(Service service, int connections, int addresses, String head, int bodyBytes) {
    var flood = new Flood(service, connections);
    for (int i = 0; i < connections; i++) {
      var from = Loopback.number(1 + i % addresses);
      flood.threads[i] =
          Thread.startVirtualThread(() -> flood.hold(from, head, bodyBytes, Duration.ZERO));
    }
    return flood;
  }

  /** One connection that sends a part of the body, and then a byte from time to time. */
  static Flood drip(Service service, String head, int bodyBytes, Duration pause) {
    var flood = new Flood(service, 1);
    flood.threads[0] =
        Thread.startVirtualThread(() -> flood.hold(Loopback.number(1), head, bodyBytes, pause));
    return flood;
  }

  private void hold(InetAddress from, String head, int bodyBytes, Duration pause) {
    try (var connection = new RawConnection(service, from)) {
      connection.send(head + "{");
      for (int sent = 1; sent < bodyBytes && end.getCount() > 0; sent += PIECE) {
        int length = Math.min(PIECE, bodyBytes - sent);
        connection.send(BLANKS, length);
        bytesSent.addAndGet(length);
      }
      outcomes.add(outcome(connection, pause));
    } catch (IOException e) {
      outcomes.add("closed or refused");
    }
  }

  /** Waits for an answer until the flood ends. */
  private String outcome(RawConnection connection, Duration pause) throws IOException {
    while (end.getCount() > 0) {
      int status = connection.status(pause.isZero() ? Duration.ofMillis(500) : pause);
      if (status > 0) {
        return "" + status;
      }
      if (status == 0) {
        return "closed or refused";
      }
      if (!pause.isZero()) {
        connection.send(" ");
      }
    }
    return "held to the end";
  }

  /** Hangs up on all connections that are still open. */
  @Override
  public void close() {
    end.countDown();
    try {
      for (var thread : threads) {
        thread.join(Duration.ofSeconds(60));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    parts.add("%,d MB sent on %,d connections".formatted(bytesSent.get() >> 20, threads.length));
    if (outcomes.total() > 0) {
      parts.add(outcomes.toString());
    }
    return String.join("; ", parts);
  }
}
