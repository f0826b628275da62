import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;

/** A2: whole bodies whose memory is not given back, or whose answers take more than they do. */
final class Memory {
  private static final Duration DURATION = Scale.seconds("hold", 30);
  private static final Duration AFTERWARDS = Scale.seconds("afterwards", 8);

  /** How long a client does not read its answer; then it asks again on another connection. */
  private static final Duration UNREAD = Duration.ofSeconds(3);

  private static final int NAME_LENGTH = 900_000;
  private static final int NAME_LENGTH_IN_MESSAGES = 45_000;
  private static final int OPERATIONS = Scale.count(10_000);
  private static final int MESSAGES_AT_ONCE = 20;
  private static final int LOOK_UPS = Scale.count(200);
  private static final int LOOK_UP_ADDRESSES = 10;
  private static final int MAX_WREFS = 500;

  /** As long as a name may be, with four bytes for each character. */
  private static final String LONG_NAME = "\ud83d\ude00".repeat(512);

  private static final int UNREAD_LISTS = Scale.count(1_000);

  /** Connections of each account that sends decompression bombs. */
  private static final int BOMBS = Scale.count(100);

  private static final int MEBIBYTE = 1 << 20;
  private static final int GZIP_HEADER = 10;

  /** A block of deflate that has no content, of five bytes. */
  private static final byte[] EMPTY_BLOCK = {0, 0, 0, (byte) 0xff, (byte) 0xff};

  /** An operation with a member that none has, whose name is twice as long in a JSON pointer. */
  private static final String OPERATION =
      "{\"operation\":\"add\",\"%s\\u20ac\":1}".formatted("/".repeat(1_480));

  private Memory() {}

  /** JSON whose member has another name each time, to two routes without credentials. */
  static Result names() throws Exception {
    var count = new AtomicInteger();
    try (var service = Service.start(Map.of());
        var prober = Prober.start(service)) {
      prober.endPhase();
      var lookUps =
          Flood.repeatedly(
              service,
              2,
              (connection, flood) -> {
                var body = member(count.incrementAndGet(), NAME_LENGTH);
                ask(connection, flood, "/api/repos/others/open/things/batch", body);
              });
      var messages =
          Flood.repeatedly(
              service,
              2,
              (connection, flood) -> {
                var arguments = member(count.incrementAndGet(), NAME_LENGTH_IN_MESSAGES);
                ask(connection, flood, "/mcp", message(arguments));
              });
      try (lookUps;
          messages) {
        Thread.sleep(DURATION);
      }
      Thread.sleep(AFTERWARDS);
      return prober.result("look-ups: " + lookUps + "; messages: " + messages);
    }
  }

  /** Short messages with long answers, which nobody reads: 20 lists of all tools in each. */
  static Result lists() throws Exception {
    var list = "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/list\"}";
    var batch =
        IntStream.range(0, MESSAGES_AT_ONCE)
            .mapToObj(list::formatted)
            .collect(Collectors.joining(",", "[", "]"));
    try (var service = Service.start(Map.of());
        var prober = Prober.start(service)) {
      prober.endPhase();
      try (var flood =
          Flood.once(
              service,
              UNREAD_LISTS,
              (connection, running) -> {
                connection.send(RawConnection.head("POST", "/mcp", null, batch.length()) + batch);
                running.sent(batch.length());
                while (!running.isOver()) {
                  pause();
                }
                running.awaitAnswer(connection, Duration.ZERO);
              })) {
        Thread.sleep(DURATION);
        flood.close();
        Thread.sleep(AFTERWARDS);
        return prober.result(flood.toString());
      }
    }
  }

  /** Look-ups of 1 MB whose answers of 3 MB wait for room, from ten addresses. */
  static Result lookUpsWaiting() throws Exception {
    try (var service = Service.start(Map.of());
        var eve = Account.signUp(service, "eve");
        var prober = Prober.start(service)) {
      eve.makeRepository("eve", "open", "public");
      eve.commit("eve/open", Account.note(LONG_NAME, "text")).expectSuccess();
      var wref = "\"Note/" + LONG_NAME + "\"";
      var body =
          ("{\"wrefs\":[" + (wref + ",").repeat(MAX_WREFS - 1) + wref + "]}")
              .getBytes(StandardCharsets.UTF_8);
      var head = RawConnection.head("POST", "/api/repos/eve/open/things/batch", null, body.length);
      prober.endPhase();
      try (var flood =
          Flood.repeatedly(
              service,
              LOOK_UPS,
              Math.max(LOOK_UP_ADDRESSES, Flood.ADDRESSES),
              (connection, running) -> {
                connection.send(head);
                connection.send(body, body.length);
                running.sent(body.length);
                running.awaitAnswer(connection, Duration.ZERO);
              })) {
        Thread.sleep(DURATION);
        flood.close();
        Thread.sleep(AFTERWARDS);
        return prober.result(flood.toString());
      }
    }
  }

  private static String member(int number, int length) {
    return "{\"%d%s\\u20ac\":1}".formatted(number, "x".repeat(length));
  }

  private static String message(String arguments) {
    return """
    {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"whoami","arguments":%s}}"""
        .formatted(arguments);
  }

  private static void ask(RawConnection connection, Flood flood, String path, String body)
      throws IOException {
    connection.send(RawConnection.head("POST", path, null, body.length()) + body);
    flood.sent(body.length());
    flood.awaitAnswer(connection, Duration.ZERO);
  }

  /** Commits of four accounts in which each operation is wrong; their answers are not read. */
  static Result answers() throws Exception {
    var commit =
        "{\"atomic\":false,\"operations\":["
            + (OPERATION + ",").repeat(OPERATIONS - 1)
            + OPERATION
            + "]}";
    try (var service = Service.start(Map.of());
        var ann = Account.signUp(service, "ann");
        var bob = Account.signUp(service, "bob");
        var eve = Account.signUp(service, "eve");
        var joe = Account.signUp(service, "joe");
        var prober = Prober.start(service)) {
      prober.endPhase();
      try (var first = commits(service, ann, "ann", commit);
          var second = commits(service, bob, "bob", commit);
          var third = commits(service, eve, "eve", commit);
          var fourth = commits(service, joe, "joe", commit)) {
        Thread.sleep(DURATION);
        Thread.sleep(AFTERWARDS);
        var got = List.of(first, second, third, fourth).stream().map(Flood::toString).toList();
        return prober.result(String.join("; ", got));
      }
    }
  }

  /**
   * Decompression bombs of two accounts, of 16 and of 100 MiB, and 2 MiB of two others that are
   * read through and have no content.
   */
  static Result bombs() throws Exception {
    var empty = gzip(0);
    var blocks = new ByteArrayOutputStream();
    blocks.write(empty, 0, GZIP_HEADER);
    while (blocks.size() < 2 * MEBIBYTE) {
      blocks.write(EMPTY_BLOCK);
    }
    blocks.write(empty, GZIP_HEADER, empty.length - GZIP_HEADER);
    try (var service = Service.start(Map.of());
        var ann = Account.signUp(service, "ann");
        var bob = Account.signUp(service, "bob");
        var eve = Account.signUp(service, "eve");
        var joe = Account.signUp(service, "joe");
        var prober = Prober.start(service)) {
      prober.endPhase();
      try (var first = bombs(service, ann, "ann", gzip(16 * MEBIBYTE));
          var second = bombs(service, bob, "bob", gzip(100 * MEBIBYTE));
          var third = bombs(service, eve, "eve", blocks.toByteArray());
          var fourth = bombs(service, joe, "joe", blocks.toByteArray())) {
        Thread.sleep(DURATION);
        var floods = List.of(first, second, third, fourth);
        floods.forEach(Flood::close);
        Thread.sleep(AFTERWARDS);
        var got = floods.stream().map(Flood::toString).toList();
        return prober.result(String.join("; ", got));
      }
    }
  }

  /** So many blanks, compressed. */
  private static byte[] gzip(int length) throws IOException {
    var compressed = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(compressed)) {
      gzip.write(" ".repeat(length).getBytes(StandardCharsets.US_ASCII));
    }
    return compressed.toByteArray();
  }

  private static Flood bombs(Service service, Account account, String org, byte[] body)
      throws Exception {
    account.makeRepository(org, "notes", "private");
    var path = "/api/repos/" + org + "/notes/commits";
    var head = RawConnection.head("POST", path, account.token(), body.length);
    var compressed =
        head.replace("\r\nContent-Length", "\r\nContent-Encoding: gzip\r\nContent-Length");
    return Flood.repeatedly(
        service,
        BOMBS,
        (connection, flood) -> {
          connection.send(compressed);
          connection.send(body, body.length);
          flood.sent(body.length);
          flood.awaitAnswer(connection, Duration.ZERO);
        });
  }

  private static Flood commits(Service service, Account account, String org, String commit)
      throws Exception {
    account.makeRepository(org, "notes", "private");
    var path = "/api/repos/" + org + "/notes/commits";
    var request = RawConnection.head("POST", path, account.token(), commit.length()) + commit;
    return Flood.repeatedly(
        service,
        1,
        (connection, flood) -> {
          connection.send(request);
          flood.sent(request.length());
          flood.awaitAnswer(connection, Duration.ZERO);
          pause();
        });
  }

  private static void pause() {
    try {
      Thread.sleep(UNREAD);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
