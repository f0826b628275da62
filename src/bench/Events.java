import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/** Clients that follow a repository of a service by event streams, while it gets commits. */
final class Events {
  private static final int CLIENTS = 100;

  private static final int SECONDS_TO_WAIT = 30;

  /** Commits a second. */
  private static final int PACE = 50;

  private static final String REPOSITORY = "r0";
  private static final Pattern TICKET = Pattern.compile("\"ticket\":\"([^\"]+)\"");
  private static final Pattern NAME = Pattern.compile("S/(c\\d+)");

  private final Content content;
  private final Map<String, Long> sent = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<Double> took = new ConcurrentLinkedQueue<>();
  private final AtomicInteger arrived = new AtomicInteger();
  private final CountDownLatch ready = new CountDownLatch(CLIENTS);

  Events(Content content) {
    this.content = content;
  }

  /** Milliseconds from sending a commit to its event, in 99 of 100 cases. */
  double arrival(Service service) throws Exception {
    int count = PACE * Load.SECONDS * 3;
    var clients = new ArrayList<Socket>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < CLIENTS; i++) {
        var client = follow(service);
        clients.add(client);
        threads.submit(() -> read(client));
      }
      if (!ready.await(SECONDS_TO_WAIT, TimeUnit.SECONDS)) {
        throw new IllegalStateException("not all clients follow");
      }
      long start = System.nanoTime();
      for (int i = 0; i < count; i++) {
        long due = start + i * (1_000_000_000L / PACE);
        Thread.sleep(Math.max(0, (due - System.nanoTime()) / 1_000_000));
        threads.submit(() -> commit(service));
      }
      long sentAll = System.nanoTime();
      while (arrived.get() < count * CLIENTS && Load.seconds(sentAll) < SECONDS_TO_WAIT) {
        Thread.sleep(2);
      }
      close(clients);
      if (arrived.get() < count * CLIENTS) {
        throw new IllegalStateException("events are missing");
      }
    }
    var sorted = took.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    return sorted[sorted.length * 99 / 100];
  }

  private static Socket follow(Service service) throws Exception {
    var ticket =
        TICKET.matcher(service.post("/api/repos/bench/" + REPOSITORY + "/live/tickets", ""));
    if (!ticket.find()) {
      throw new IllegalStateException("no ticket");
    }
    return service.open("/sse?ticket=" + ticket.group(1));
  }

  private Void commit(Service service) throws Exception {
    long n = content.next();
    sent.put("c" + n, System.nanoTime());
    Content.add(service, REPOSITORY, n);
    return null;
  }

  /** Until the client is closed. */
  private Void read(Socket client) throws Exception {
    try (var lines = new BufferedReader(new InputStreamReader(client.getInputStream()))) {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        told(line);
      }
    } catch (SocketException _) {
      // The measurement has ended.
    }
    return null;
  }

  private void told(String line) {
    if (line.equals("event: ready")) {
      ready.countDown();
    }
    var name = NAME.matcher(line);
    if (name.find() && sent.containsKey(name.group(1))) {
      took.add(Load.seconds(sent.get(name.group(1))) * 1000);
      arrived.incrementAndGet();
    }
  }

  private static void close(List<Socket> clients) throws Exception {
    for (var client : clients) {
      client.close();
    }
  }
}
