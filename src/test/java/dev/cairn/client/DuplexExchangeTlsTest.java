package dev.cairn.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.SelfSigned;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Streams over TLS. The server's certificate, for {@code ::1} and not for 127.0.0.1, is made by the
 * test; {@code HttpsServer} of the JDK cannot answer before it has read the whole request.
 */
class DuplexExchangeTlsTest {
  private static final Duration SILENCE = Duration.ofSeconds(20);

  @TempDir static Path directory;

  private static SelfSigned key;

  /** The token of the request; empty if none came. */
  private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

  private SSLServerSocket listener;

  @BeforeAll
  static void makeCertificate() throws Exception {
    key = new SelfSigned(directory);
  }

  private void listen(String address) throws Exception {
    listener =
        (SSLServerSocket)
            key.context()
                .getServerSocketFactory()
                .createServerSocket(0, 1, InetAddress.getByName(address));
    Thread.startVirtualThread(this::serveOnce);
  }

  @AfterEach
  void end() throws IOException {
    listener.close();
  }

  /** Answers each line of a chunked body with the same line, before it reads the next one. */
  private void serveOnce() {
    var token = "";
    try (var socket = listener.accept()) {
      var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
      var out = socket.getOutputStream();
      for (var line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
        token = line.startsWith("Authorization: ") ? line : token;
      }
      out.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".getBytes(ISO_8859_1));
      for (var size = in.readLine(); !size.equals("0"); size = in.readLine()) {
        var content = in.readLine();
        in.readLine(); // the end of the chunk
        out.write((size + "\r\n" + content + "\n\r\n").getBytes(ISO_8859_1));
      }
      out.write("0\r\n\r\n".getBytes(ISO_8859_1));
    } catch (IOException e) {
      // The client has ended the connection.
    } finally {
      received.add(token);
    }
  }

  private DuplexExchange post(SSLContext tls, String host, StreamBody body) throws IOException {
    var uri = URI.create("https://%s:%d/".formatted(host, listener.getLocalPort()));
    var request = HttpRequest.newBuilder(uri).header("Authorization", "Bearer secret").build();
    try (var http = HttpClient.newBuilder().sslContext(tls).build()) {
      return DuplexExchange.post(http, request, SILENCE, body);
    }
  }

  @Test
  void results_come_while_the_body_is_being_written() throws Exception {
    listen("::1");
    var first = new CountDownLatch(1);
    StreamBody body =
        out -> {
          out.write("{1}\n".getBytes(ISO_8859_1));
          out.flush();
          await(first);
          out.write("{2}\n".getBytes(ISO_8859_1));
        };
    try (var exchange = post(key.trusting(), "[::1]", body);
        var lines = new BufferedReader(new InputStreamReader(exchange.content(), ISO_8859_1))) {
      assertEquals(200, exchange.status());
      assertEquals("{1}", lines.readLine());
      first.countDown();
      assertEquals("{2}", lines.readLine());
      assertEquals(null, lines.readLine());
    }
    assertEquals("Authorization: Bearer secret", received.poll(20, TimeUnit.SECONDS));
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      assertTrue(latch.await(20, TimeUnit.SECONDS), "no result came");
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private void assertRefused(SSLContext tls, String host) throws Exception {
    assertThrows(SSLException.class, () -> post(tls, host, _ -> {}));
    assertEquals("", received.poll(20, TimeUnit.SECONDS));
  }

  @Test
  void no_token_goes_to_a_server_whose_certificate_is_for_another_name() throws Exception {
    listen("127.0.0.1");
    assertRefused(key.trusting(), "127.0.0.1");
  }

  @Test
  void no_token_goes_to_a_server_whose_certificate_nobody_trusts() throws Exception {
    listen("::1");
    assertRefused(SSLContext.getDefault(), "[::1]");
  }
}
