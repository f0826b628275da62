package dev.cairn.egress;

import static dev.cairn.egress.EgressClientTest.answer;
import static dev.cairn.egress.EgressClientTest.fault;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.SelfSigned;
import io.vertx.core.net.PfxOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS to a server whose certificate, for {@code hook.example} and ::1, the test makes itself. */
class EgressTlsTest {
  @TempDir static Path directory;

  private static SelfSigned key;
  private static SSLContext tls;

  private final BlockingQueue<List<String>> serverNames = new LinkedBlockingQueue<>();

  @BeforeAll
  static void makeCertificate() throws Exception {
    key = new SelfSigned(directory);
    tls = key.context();
  }

  @Test
  void the_server_name_the_certificate_check_and_the_host_header_keep_the_name() throws Exception {
    try (var server = server("127.0.0.1");
        var egress = trusting().resolving("127.0.0.1")) {
      for (var host : List.of("hook.example", "HOOK.example.")) {
        assertEquals(204, answer(egress.get(url(host, server))).status());
        assertEquals(List.of("hook.example"), serverNames.poll(10, TimeUnit.SECONDS));
        var request = server.request();
        assertTrue(request.contains("\r\nhost: hook.example:" + server.port() + "\r\n"), request);
      }
    }
  }

  @Test
  void a_certificate_for_another_name_is_a_tls_fault() throws Exception {
    try (var server = server("127.0.0.1");
        var egress = trusting()) {
      assertEquals(NetworkFault.TLS, fault(egress.get(url("127.0.0.1", server))));
    }
  }

  @Test
  void a_certificate_for_an_address_is_fine_at_that_address() throws Exception {
    try (var server = server("::1");
        var egress = trusting()) {
      assertEquals(204, answer(egress.get(url("[::1]", server))).status());
    }
  }

  @Test
  void a_certificate_that_nobody_trusts_is_a_tls_fault() throws Exception {
    try (var server = server("127.0.0.1");
        var egress = new Egress("127.0.0.1").resolving("127.0.0.1")) {
      assertEquals(NetworkFault.TLS, fault(egress.get(url("hook.example", server))));
    }
  }

  @Test
  void a_server_that_speaks_no_tls_is_a_tls_fault() throws Exception {
    try (var server =
            ScriptedServer.on(
                "127.0.0.1",
                (it, socket) -> {
                  ScriptedServer.write(socket, "HTTP/1.1 400 Bad Request\r\n\r\n");
                  it.awaitEnd(socket);
                });
        var egress = trusting().resolving("127.0.0.1")) {
      assertEquals(NetworkFault.TLS, fault(egress.get(url("hook.example", server))));
    }
  }

  private static Egress trusting() {
    var trust = new PfxOptions().setPath(key.keys().toString()).setPassword(SelfSigned.PASSWORD);
    return new Egress(Optional.of(trust), 8, "127.0.0.1", "::1");
  }

  private static String url(String host, ScriptedServer server) {
    return "https://" + host + ":" + server.port() + "/";
  }

  private ScriptedServer server(String address) throws IOException {
    var listener =
        tls.getServerSocketFactory().createServerSocket(0, 50, InetAddress.ofLiteral(address));
    return ScriptedServer.with(
        listener,
        (it, socket) -> {
          it.readRequest(socket);
          serverNames.add(names(socket));
          ScriptedServer.write(socket, "HTTP/1.1 204 No Content\r\n\r\n");
        });
  }

  private static List<String> names(Socket socket) {
    var session = (ExtendedSSLSession) ((SSLSocket) socket).getSession();
    return session.getRequestedServerNames().stream()
        .map(name -> ((SNIHostName) name).getAsciiName())
        .toList();
  }
}
