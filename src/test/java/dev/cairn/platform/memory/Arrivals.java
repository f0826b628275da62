package dev.cairn.platform.memory;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Eventually;
import dev.cairn.Metrics;
import dev.cairn.platform.http.RequestLimits;
import io.restassured.RestAssured;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.DoublePredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Requests that do not come to their end, on connections that are closed after each test. */
abstract class Arrivals {
  static final int KIB = 1024;

  /** What the request for the metrics, which is counted too, takes at most. */
  static final int OWN = 8 * KIB;

  private final List<Socket> sockets = new ArrayList<>();

  /** Connections are watched from the first request on. */
  @BeforeEach
  void watchConnections() {
    assertTrue(metric("cairn_connections") > 0);
  }

  @AfterEach
  void close() throws Exception {
    for (var socket : sockets) {
      socket.close();
    }
    awaitMetric("cairn_requests_arriving", value -> value == 1);
  }

  /** Announces a body, sends blanks for a part of it, and waits. */
  Socket unfinished(String target, String token, int announced, int sent) throws IOException {
    var socket = connected();
    var head =
        "POST "
            + target
            + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
            + announced
            + (token == null ? "" : "\r\nAuthorization: Bearer " + token)
            + "\r\n\r\n";
    socket.getOutputStream().write((head + " ".repeat(sent)).getBytes(US_ASCII));
    return socket;
  }

  Socket connected() throws IOException {
    return connected("127.0.0.1");
  }

  /** A connection from an address of this machine. */
  Socket connected(String address) throws IOException {
    var socket = new Socket();
    sockets.add(socket);
    socket.setSoTimeout(30_000);
    socket.bind(new InetSocketAddress(address, 0));
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), RestAssured.port));
    return socket;
  }

  /** Has all room for large bodies taken, until it is closed. */
  static final class AllRoom implements AutoCloseable {
    private final CountDownLatch end = new CountDownLatch(1);

    AllRoom(BodyMemory memory) {
      var large = new byte[RequestLimits.MAX_BODY];
      Eventually.await(
          "a large body waits for room",
          () -> {
            boolean isFull = metric("cairn_bodies_waiting") > 0;
            if (!isFull) {
              Thread.startVirtualThread(
                  () -> memory.within(UUID.randomUUID(), large, this::awaitEnd));
            }
            return isFull;
          });
    }

    private boolean awaitEnd() {
      try {
        return end.await(30, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void close() {
      end.countDown();
    }
  }

  static double metric(String name) {
    return Metrics.sum(name);
  }

  static void awaitMetric(String name, DoublePredicate isWanted) {
    Eventually.await(
        () -> name + " is as wanted, and not " + metric(name), () -> isWanted.test(metric(name)));
  }

  static String statusLine(Socket socket) throws IOException {
    return new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII)).readLine();
  }
}
