import io.vertx.core.http.HttpMethod;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/** Webhooks that a service calls at the sink of the minimal server. */
final class Deliveries {
  /** Commits a second when it is measured how soon they arrive. */
  private static final int PACE = 100;

  private final Content content;
  private final BareServer bare;

  Deliveries(Content content, BareServer bare) {
    this.content = content;
    this.bare = bare;
  }

  /** Has the service call the sink for the commits to the repositories of all clients. */
  void subscribe(Service service) throws Exception {
    for (int i = 0; i < Load.CLIENTS; i++) {
      service.post(
          "/api/repos/bench/r" + i + "/subs",
          "{\"name\":\"s\",\"kind\":\"webhook\",\"shapeName\":\"S\",\"filterJson\":{},\"webhookUrl\":\""
              + bare.url("/sink")
              + "\"}");
    }
  }

  /** Calls the sink as a delivery does. */
  void call(String body) throws Exception {
    bare.client.expect(HttpMethod.POST, bare.url("/sink"), Map.of(), body);
  }

  /** Commits of one operation a second, until the last one has arrived. */
  double rate(Service service) throws Exception {
    var taken = new AtomicInteger();
    var made = new AtomicInteger();
    bare.sink = _ -> taken.incrementAndGet();
    long start = System.nanoTime();
    Load.each(i -> made.addAndGet(content.addOne(service, "r" + i)));
    while (taken.get() < made.get()) {
      Thread.sleep(2);
    }
    double rate = made.get() / Load.seconds(start);
    bare.sink = _ -> {};
    return rate;
  }

  /** Milliseconds from sending a commit to the call of its webhook, in 99 of 100 cases. */
  double arrival(Service service) throws Exception {
    var sent = new ConcurrentHashMap<String, Long>();
    var took = new ConcurrentLinkedQueue<Double>();
    var name = Pattern.compile("S/(c\\d+)");
    bare.sink =
        body -> {
          var found = name.matcher(body);
          if (found.find() && sent.containsKey(found.group(1))) {
            took.add(Load.seconds(sent.get(found.group(1))) * 1000);
          }
        };
    int count = PACE * Load.SECONDS * 3;
    long start = System.nanoTime();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < count; i++) {
        long due = start + i * (1_000_000_000L / PACE);
        Thread.sleep(Math.max(0, (due - System.nanoTime()) / 1_000_000));
        int repository = i % Load.CLIENTS;
        threads.submit(
            () -> {
              long n = content.next();
              sent.put("c" + n, System.nanoTime());
              Content.add(service, "r" + repository, n);
              return null;
            });
      }
    }
    while (took.size() < count) {
      Thread.sleep(2);
    }
    bare.sink = _ -> {};
    var sorted = took.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    return sorted[sorted.length * 99 / 100];
  }

  void unsubscribe(Service service) throws Exception {
    for (int i = 0; i < Load.CLIENTS; i++) {
      service.send(HttpMethod.DELETE, "/api/repos/bench/r" + i + "/subs/s", Map.of(), null);
    }
  }
}
