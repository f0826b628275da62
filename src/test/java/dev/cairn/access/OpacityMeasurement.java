package dev.cairn.access;

import static dev.cairn.access.OpacityTest.CONTENT_ENDPOINTS;
import static dev.cairn.access.OpacityTest.ENDPOINTS;
import static dev.cairn.access.OpacityTest.ORGANIZATION_ENDPOINTS;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Measures whether the time of an answer tells what is hidden from what does not exist: on every
 * route, by every kind of outsider, calls in random turns. It proves nothing by itself, since times
 * are those of one machine, so the build leaves it out. Run by {@code ./mvnw test
 * -Dtest=OpacityMeasurement -Dcalls=1000}, it prints a table, in about a quarter of an hour.
 */
@HttpTest
@QuarkusTest
class OpacityMeasurement {
  private static final int CALLS = Integer.getInteger("calls", 1_000);
  private static final int WARM_UP = 200;
  private static final Pattern LENGTH = Pattern.compile("(?i)content-length: *(\\d+)");

  private record Outsider(String name, String token) {}

  /**
   * @param what what stands there, in truth
   * @param path the resource, all of one length
   */
  private record Place(String what, String path) {}

  /** One connection, kept open, on which nothing but the exchange takes time. */
  private static final class Wire implements AutoCloseable {
    private final Socket socket = new Socket("localhost", RestAssured.port);
    private final InputStream in = new BufferedInputStream(socket.getInputStream(), 1 << 16);

    Wire() throws IOException {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(20_000);
    }

    /** Answers the nanoseconds from the first byte sent to the last one received. */
    long exchange(byte[] request, boolean body) throws IOException {
      long start = System.nanoTime();
      socket.getOutputStream().write(request);
      int left = -1;
      for (var line = line(); !line.isEmpty(); line = line()) {
        var length = LENGTH.matcher(line);
        left = length.matches() ? Integer.parseInt(length.group(1)) : left;
      }
      in.readNBytes(body ? left : 0);
      return System.nanoTime() - start;
    }

    private String line() throws IOException {
      var line = new StringBuilder();
      for (int c = in.read(); c != '\n'; c = in.read()) {
        if (c < 0) {
          throw new EOFException("the connection was closed");
        }
        line.append((char) c);
      }
      return line.toString().strip();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  @Test
  void what_is_hidden_takes_as_long_as_what_does_not_exist() throws IOException {
    var hidden = Api.newRepository("private");
    var other = Api.newRepository("private");
    var repositories =
        List.of(
            new Place("hidden", hidden),
            new Place("another hidden one", other),
            new Place("missing", hidden.replaceFirst("repo$", "nope")),
            new Place("missing with its organization", hidden.replace("/org-", "/nil-")));
    var contents =
        repositories.stream()
            .map(place -> new Place(place.what(), place.path().substring("/api/repos".length())))
            .toList();
    var organizations =
        repositories.stream()
            .filter(place -> !place.what().equals("missing"))
            .map(place -> new Place(place.what(), "/api/orgs/" + place.path().split("/", -1)[3]))
            .toList();
    var token = People.stranger().token();
    var outsiders =
        List.of(
            new Outsider("anonymous", null),
            new Outsider("stranger", token),
            new Outsider("its PAT", People.pat(token, null)));
    System.out.println("| Caller | Request | Compared with the hidden one | µs | difference | p |");
    System.out.println("|---|---|---|---|---|---|");
    try (var wire = new Wire()) {
      for (var outsider : outsiders) {
        for (var endpoint : ENDPOINTS) {
          print(compare(wire, outsider, endpoint, repositories));
        }
        for (var endpoint : CONTENT_ENDPOINTS) {
          print(compare(wire, outsider, endpoint, contents));
        }
        for (var endpoint : ORGANIZATION_ENDPOINTS) {
          print(compare(wire, outsider, endpoint, organizations));
        }
      }
    }
  }

  private static void print(List<String> rows) {
    rows.forEach(System.out::println);
  }

  private static Stream<String> row(
      Outsider outsider, String endpoint, Place place, long[] hidden, long[] others) {
    double usual = median(hidden) / 1_000.0;
    return Stream.of(
        String.format(
            Locale.ROOT,
            "| %s | `%s` | %s | %.1f | %+.1f | %.4f |",
            outsider.name(),
            endpoint.strip(),
            place.what(),
            usual,
            median(others) / 1_000.0 - usual,
            p(hidden, others)));
  }

  private static List<String> compare(
      Wire wire, Outsider outsider, String endpoint, List<Place> places) throws IOException {
    var requests = places.stream().map(place -> request(outsider, endpoint, place)).toList();
    boolean body = !endpoint.startsWith("HEAD");
    var times = new long[places.size()][CALLS];
    var turns = new ArrayList<Integer>();
    for (int i = 0; i < places.size(); i++) {
      turns.add(i);
    }
    var random = new Random(1);
    for (int call = -WARM_UP; call < CALLS; call++) {
      Collections.shuffle(turns, random);
      for (int turn : turns) {
        long time = wire.exchange(requests.get(turn), body);
        if (call >= 0) {
          times[turn][call] = time;
        }
      }
    }
    return Stream.iterate(1, i -> i < places.size(), i -> i + 1)
        .flatMap(i -> row(outsider, endpoint, places.get(i), times[0], times[i]))
        .toList();
  }

  private static byte[] request(Outsider outsider, String endpoint, Place place) {
    var parts = endpoint.split(" ", -1);
    var body = "{\"nonsense\":1}";
    return "%s %s%s HTTP/1.1\r\nHost: localhost\r\n%sContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
        .formatted(
            parts[0],
            place.path(),
            parts[1],
            outsider.token() == null ? "" : "Authorization: Bearer " + outsider.token() + "\r\n",
            body.length(),
            body)
        .getBytes(StandardCharsets.US_ASCII);
  }

  private static long median(long[] times) {
    var sorted = times.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** The probability, by Mann and Whitney, that equal things differ by so much or more. */
  private static double p(long[] a, long[] b) {
    var all = new long[a.length + b.length][];
    for (int i = 0; i < a.length; i++) {
      all[i] = new long[] {a[i], 0};
    }
    for (int i = 0; i < b.length; i++) {
      all[a.length + i] = new long[] {b[i], 1};
    }
    Arrays.sort(all, (x, y) -> Long.compare(x[0], y[0]));
    double ranks = 0;
    for (int i = 0; i < all.length; i++) {
      ranks += all[i][1] == 0 ? i + 1 : 0;
    }
    double n = a.length;
    double m = b.length;
    double z = (ranks - n * (n + 1) / 2 - n * m / 2) / Math.sqrt(n * m * (n + m + 1) / 12);
    return 2 * (1 - normal(Math.abs(z)));
  }

  /** The normal distribution, by Abramowitz and Stegun 26.2.17. */
  private static double normal(double z) {
    double t = 1 / (1 + 0.2316419 * z);
    double tail =
        t
            * (0.319381530
                + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
    return 1 - Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI) * tail;
  }
}
