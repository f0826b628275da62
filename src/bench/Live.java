import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Many clients follow one repository by event streams, spread over the replicas, while commits are
 * made. Each must be told of every commit once, or be told to read anew. If a process is named, it
 * is killed after half of the time; its clients then continue on the other replicas.
 *
 * <pre>
 * export CAIRN_ADMIN_EMAIL=… CAIRN_ADMIN_PASSWORD=…
 * java src/bench/Live.java http://localhost:8080 [http://localhost:8081 …]
 * </pre>
 *
 * <p>{@code READERS} (1000) clients, {@code RATE} (50) commits a second for {@code SECONDS} (60),
 * {@code KILL} the id of a process. It prints the time from the sending of a commit to its event,
 * over all clients. The exit code is 1 if an event is missing.
 */
public final class Live {
  private static final int READERS = setting("READERS", 1_000);
  private static final int RATE = setting("RATE", 50);
  private static final int SECONDS = setting("SECONDS", 60);
  private static final int KILL = setting("KILL", 0);

  /** How many commits are sent at a time, since one client that waits for each may be too slow. */
  private static final int SENDERS = 8;

  /** How many clients reconnect at a time. */
  private static final int RECONNECTING = 8;

  private static final Pattern TEXT = Pattern.compile("\"(accessToken|ticket)\":\"([^\"]+)\"");
  private static final Pattern SEQ = Pattern.compile("\"repoSeq\":(\\d+)");

  private final HttpClient http = HttpClient.newHttpClient();
  private final List<URI> replicas;
  private final String repository = "/api/repos/live-" + Instant.now().getEpochSecond() + "/repo";
  private final Selector selector = Selector.open();
  private final ExecutorService reconnecting = Executors.newFixedThreadPool(RECONNECTING);
  private final List<Reader> readers = new ArrayList<>();

  /** When the commit with each number was sent, and how late its events came, in nanoseconds. */
  private final long[] sentAt = new long[RATE * SECONDS + 10];

  private final long[] arrivals = new long[READERS * (RATE * SECONDS + 10)];
  private final int[] arrived = new int[arrivals.length];
  private int count;
  private int resets;
  private int reconnections;
  private int gaps;
  private String token;
  private volatile long newest;
  private volatile boolean isOver;

  private Live(List<URI> replicas) throws IOException {
    this.replicas = new ArrayList<>(replicas);
  }

  public static void main(String... urls) throws Exception {
    if (urls.length == 0 || System.getenv("CAIRN_ADMIN_PASSWORD") == null) {
      System.err.println("It takes the URLs of replicas, and the administrator; see the source.");
      System.exit(2);
    }
    System.exit(new Live(Arrays.stream(urls).map(URI::create).toList()).run() ? 0 : 1);
  }

  private static int setting(String name, int otherwise) {
    return Integer.parseInt(System.getenv().getOrDefault(name, "" + otherwise));
  }

  private boolean run() throws Exception {
    prepare();
    for (int i = 0; i < READERS; i++) {
      readers.add(new Reader(i));
    }
    for (var reader : readers) {
      reader.connect();
    }
    System.out.printf("%d clients follow%n", READERS);
    var selecting = Thread.ofPlatform().start(this::select);
    long begun = System.nanoTime();
    try (var timer = Executors.newScheduledThreadPool(SENDERS)) {
      for (int i = 0; i < RATE * SECONDS; i++) {
        int number = i;
        var _ =
            timer.schedule(() -> commit(number), i * 1_000_000_000L / RATE, TimeUnit.NANOSECONDS);
      }
      timer.schedule(this::kill, SECONDS / 2, TimeUnit.SECONDS);
    }
    System.out.printf("the commits took %.0f s%n", (System.nanoTime() - begun) / 1e9);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (System.nanoTime() < end && readers.stream().anyMatch(r -> r.position < newest)) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
    isOver = true;
    selector.wakeup();
    selecting.join();
    return report();
  }

  private boolean report() {
    long behind = readers.stream().filter(r -> r.position < newest).count();
    var lags = new long[count];
    for (int i = 0; i < count; i++) {
      lags[i] = arrivals[i] - sentAt[arrived[i]];
    }
    Arrays.sort(lags);
    System.out.printf(
        "%d commits, %d events, %d gaps, %d resets, %d reconnections, %d clients behind at the end%n",
        newest - 1, count, gaps, resets, reconnections, behind);
    System.out.printf(
        "from sending a commit to its event: p50 %.1f ms, p99 %.1f ms, max %.1f ms%n",
        millis(lags, 0.5), millis(lags, 0.99), millis(lags, 1));
    return behind == 0 && gaps == 0;
  }

  private static double millis(long[] sorted, double part) {
    return sorted.length == 0 ? -1 : sorted[(int) (part * (sorted.length - 1))] / 1e6;
  }

  private void prepare() throws Exception {
    var login =
        "{\"email\":\"%s\",\"password\":\"%s\"}"
            .formatted(System.getenv("CAIRN_ADMIN_EMAIL"), System.getenv("CAIRN_ADMIN_PASSWORD"));
    token = text(post("/api/auth/login", login));
    var org = repository.split("/", -1)[3];
    post("/api/orgs", "{\"name\":\"" + org + "\"}");
    post("/api/orgs/" + org + "/repos", "{\"name\":\"repo\"}");
    post(repository + "/commits", operation("Shape/Reading", "{\"fields\":{\"n\":\"number\"}}"));
    newest = 1;
  }

  private static String operation(String name, String data) {
    return "{\"operations\":[{\"operation\":\"add\",\"name\":\"%s\",\"data\":%s}]}"
        .formatted(name, data);
  }

  private static String text(String json) {
    var found = TEXT.matcher(json);
    if (!found.find()) {
      throw new IllegalStateException(json);
    }
    return found.group(2);
  }

  private String post(String path, String body) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(replicas.getLast().resolve(path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body));
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
    if (answer.statusCode() / 100 != 2) {
      throw new IOException(path + ": " + answer.statusCode() + " " + answer.body());
    }
    return answer.body();
  }

  private void commit(int number) {
    try {
      long now = System.nanoTime();
      var answer =
          post(repository + "/commits", operation("Reading/" + number, "{\"n\":" + number + "}"));
      Matcher found = SEQ.matcher(answer);
      if (found.find()) {
        long seq = Long.parseLong(found.group(1));
        synchronized (sentAt) {
          sentAt[(int) seq] = now;
          newest = Math.max(newest, seq);
        }
      }
    } catch (IOException | InterruptedException e) {
      System.out.println("a commit failed: " + e);
    }
  }

  /** The first replica is the one that is killed; commits go to the last one. */
  private void kill() {
    if (KILL > 0) {
      ProcessHandle.of(KILL).orElseThrow().destroyForcibly();
      System.out.println("a replica was killed");
      synchronized (replicas) {
        replicas.removeFirst();
      }
    }
  }

  private void select() {
    try {
      while (!isOver) {
        selector.select(100);
        for (var key : selector.selectedKeys()) {
          ((Reader) key.attachment()).read();
        }
        selector.selectedKeys().clear();
        for (var reader : readers) {
          if (reader.isLost) {
            reader.isLost = false;
            reconnections++;
            // On other threads, since all others are read meanwhile.
            reconnecting.execute(() -> reconnect(reader));
          }
        }
      }
    } catch (IOException e) {
      System.out.println("the clients have ended: " + e);
    }
  }

  private static void reconnect(Reader reader) {
    try {
      reader.connect();
    } catch (IOException | InterruptedException e) {
      System.out.println("a client does not come back: " + e);
    }
  }

  /** One client. */
  private final class Reader {
    private final int number;
    private final ByteBuffer buffer = ByteBuffer.allocate(64 * 1024);
    private volatile long position;
    private SocketChannel channel;
    private boolean isLost;

    Reader(int number) {
      this.number = number;
    }

    void connect() throws IOException, InterruptedException {
      buffer.clear();
      URI replica;
      synchronized (replicas) {
        replica = replicas.get(number % replicas.size());
      }
      var ticket = text(post(repository + "/live/tickets", ""));
      channel = SocketChannel.open(new InetSocketAddress(replica.getHost(), replica.getPort()));
      var request =
          "GET /sse?ticket=%s HTTP/1.1\r\nHost: localhost\r\n%s\r\n"
              .formatted(ticket, position == 0 ? "" : "Last-Event-ID: " + position + "\r\n");
      channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
      channel.configureBlocking(false);
      selector.wakeup();
      channel.register(selector, SelectionKey.OP_READ, this);
    }

    void read() throws IOException {
      int read;
      try {
        read = channel.read(buffer);
      } catch (IOException _) {
        read = -1;
      }
      if (read < 0) {
        channel.close();
        isLost = true;
        return;
      }
      long now = System.nanoTime();
      buffer.flip();
      int start = 0;
      for (int i = 0; i < buffer.limit(); i++) {
        if (buffer.get(i) == '\n') {
          line(start, i, now);
          start = i + 1;
        }
      }
      buffer.position(start);
      buffer.compact();
    }

    private void line(int start, int end, long now) {
      if (end - start > 4 && buffer.get(start) == 'i' && buffer.get(start + 1) == 'd') {
        long seq = 0;
        for (int i = start + 4; i < end; i++) {
          seq = 10 * seq + buffer.get(i) - '0';
        }
        told(seq, now);
      } else if (end - start == "event: reset".length() && buffer.get(start + 7) == 'r') {
        resets += buffer.get(start + 9) == 's' ? 1 : 0; // not `ready`
      }
    }

    private void told(long seq, long now) {
      if (position > 0 && seq > position + 1) {
        gaps++;
      }
      if (position > 0 && seq > position) {
        arrivals[count] = now;
        arrived[count] = (int) seq;
        count++;
      }
      position = Math.max(position, seq);
    }
  }
}
