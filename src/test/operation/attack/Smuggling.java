import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * HTTP request smuggling: a message whose end a proxy and the service could see at different
 * places, and after that a second request, which a proxy would not have seen as one.
 */
final class Smuggling {
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final int THREADS = 32;

  private static final List<String> REQUEST_LINES =
      List.of(
          "POST /api/auth/login",
          "GET /api/whoami",
          "POST /mcp",
          "POST /%zz",
          "POST /api/repos/eve/prey/..",
          "POST //");

  /** Headers of the first message; {@code LENGTH} is the length of the second one. */
  private static final List<String> FRAMINGS =
      List.of(
          "Transfer-Encoding: xchunked\r\n",
          "Transfer-Encoding: identity\r\n",
          "Transfer-Encoding: chunked, identity\r\n",
          "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
          "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n",
          "Transfer-Encoding: \"chunked\"\r\n",
          "Transfer-Encoding: chunked;x=y\r\n",
          "Transfer-Encoding:\u000bchunked\r\n",
          "Transfer-Encoding : chunked\r\n",
          "X-Other: a\rTransfer-Encoding: chunked\r\n",
          "Transfer-Encoding: xchunked\r\nContent-Length: LENGTH\r\n",
          "Transfer-Encoding: identity\r\nContent-Length: LENGTH\r\n",
          "Transfer-Encoding: chunked\r\nContent-Length: LENGTH\r\n",
          "Content-Length: LENGTH\r\nTransfer-Encoding: chunked\r\n",
          "Content-Length: LENGTH\r\nContent-Length: 0\r\n",
          "Content-Length: 0\r\nContent-Length: LENGTH\r\n",
          "Content-Length: 0, LENGTH\r\n",
          "Content-Length: +0\r\n",
          "Content-Length: -1\r\n",
          "Content-Length: 0x0\r\n",
          "Content-Length : LENGTH\r\n",
          "Host: other.example.org\r\nContent-Length: 0\r\n",
          "Host: localhost\r\nContent-Length: 0\r\n",
          // The second request is the body of the first, which ends where it says.
          "Content-Length: LENGTH\r\n");

  /** Where the second request begins: at once, or after a body that ends as a chunk does. */
  private static final List<String> BODIES = List.of("", "0\r\n\r\n");

  /** When the second request is sent: with the first message, or when that was answered. */
  private enum Sent {
    WITH_THE_FIRST,
    AFTER_ITS_ANSWER
  }

  private final Service service;
  private final Account eve;
  private final AtomicInteger smuggled = new AtomicInteger();
  private final AtomicInteger answered = new AtomicInteger();

  /** Connections on which something after the first message was taken for a request. */
  private final AtomicInteger wentOn = new AtomicInteger();

  private final Tally firstAnswers = new Tally();

  /** The headers after which there was more than one answer. */
  private final Tally framings = new Tally();

  private Smuggling(Service service, Account eve) {
    this.service = service;
    this.eve = eve;
  }

  static Result run() throws Exception {
    try (var service = Service.start(Map.of());
        var eve = Account.signUp(service, "eve");
        var prober = Prober.start(service)) {
      return new Smuggling(service, eve).attack(prober);
    }
  }

  private Result attack(Prober prober) throws Exception {
    eve.makeRepository("eve", "prey", "private");
    checkThatRequestsAreCounted();
    prober.endPhase();
    try (var threads = Executors.newFixedThreadPool(THREADS)) {
      var all = new ArrayList<Future<?>>();
      for (var requestLine : REQUEST_LINES) {
        for (var framing : FRAMINGS) {
          for (var body : BODIES) {
            for (var sent : Sent.values()) {
              all.add(threads.submit(() -> send(requestLine, framing, body, sent)));
            }
          }
        }
      }
      for (var one : all) {
        one.get();
      }
    }
    int carriedOut = notes() - 1;
    return prober.result(
        """
        %d of %d smuggled requests answered, %d carried out; %d connections went on to something \
        that was refused%s; first answers: %s"""
            .formatted(
                answered.get(),
                firstAnswers.total(),
                carriedOut,
                wentOn.get(),
                framings.total() == 0 ? "" : " (" + framings + ")",
                firstAnswers),
        answered.get() == 0
            && carriedOut == 0
            && wentOn.get() == 0
            && firstAnswers.between(500, 599) == firstAnswers.count("501"));
  }

  /** Two requests that are well-formed must be answered and carried out, or nothing is shown. */
  private void checkThatRequestsAreCounted() throws Exception {
    var first = "GET /api/whoami HTTP/1.1\r\nHost: localhost\r\n\r\n";
    var answers = exchange(first, second(), Sent.AFTER_ITS_ANSWER);
    if (answers.size() != 2 || notes() != 1) {
      throw new IllegalStateException("two requests on one connection were answered " + answers);
    }
  }

  private Void send(String requestLine, String framing, String body, Sent sent) throws IOException {
    var second = second();
    var headers = framing.replace("LENGTH", "" + second.length());
    var first =
        requestLine
            + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + headers
            + "\r\n";
    var answers = exchange(first + body, second, sent);
    firstAnswers.add(answers.isEmpty() ? "none" : answers.getFirst());
    if (answers.size() > 1) {
      (answers.get(1).equals("400") ? wentOn : answered).incrementAndGet();
      framings.add("`" + framing.strip().replace("\r\n", ", ") + "`");
    }
    return null;
  }

  /** The second request, which would leave a note of its own. */
  private String second() {
    var body =
        "{\"operations\":[" + Account.note("smuggled-" + smuggled.incrementAndGet(), "x") + "]}";
    return RawConnection.head("POST", "/api/repos/eve/prey/commits", eve.token(), body.length())
            .replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")
        + body;
  }

  private List<String> exchange(String first, String second, Sent sent) throws IOException {
    InetAddress from = Loopback.number(smuggled.get());
    var answers = new ArrayList<String>();
    try (var connection = new RawConnection(service, from)) {
      if (sent == Sent.WITH_THE_FIRST) {
        connection.send(first + second);
        answers.addAll(connection.statuses(2, PATIENCE));
      } else {
        connection.send(first);
        answers.addAll(connection.statuses(1, PATIENCE));
        connection.send(second);
        answers.addAll(connection.statuses(1, PATIENCE));
      }
    } catch (SocketException e) {
      if (answers.isEmpty()) {
        answers.add("closed");
      }
    }
    return answers;
  }

  private int notes() throws Exception {
    var count = eve.get("/api/repos/eve/prey/count?shape=Note").expectSuccess();
    return Integer.parseInt(count.value("count"));
  }
}
