package dev.cairn.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code docs/security-claims.md}: what takes the port of the embedded PostgreSQL when that has
 * ended.
 */
class ImpostorTest {
  private static final String PASSWORD = "secret-of-the-service";
  private static final int OK = 0;
  private static final int CLEAR_TEXT = 3;
  private static final int MD5 = 5;

  @ParameterizedTest
  @ValueSource(ints = {OK, CLEAR_TEXT, MD5})
  void a_server_that_does_not_know_the_password_gets_nothing(int request) throws Exception {
    try (var impostor = new Impostor(request)) {
      var refused = assertThrows(SQLException.class, () -> impostor.connect(impostor.url()));
      assertTrue(refused.getMessage().contains("requireAuth"), refused::getMessage);
      assertEquals("", impostor.received.join());
    }
  }

  @Test
  void by_default_the_driver_would_send_the_password() throws Exception {
    try (var impostor = new Impostor(CLEAR_TEXT)) {
      var url = impostor.url().replaceFirst("[?].*", "?sslmode=disable");
      assertThrows(SQLException.class, () -> impostor.connect(url));
      assertTrue(impostor.received.join().contains(PASSWORD));
    }
  }

  /** A process that has PostgreSQL's port, and asks for the password. */
  private static final class Impostor implements AutoCloseable {
    private final ServerSocket listener;

    /** What came in answer to the request. */
    private final CompletableFuture<String> received;

    Impostor(int request) throws IOException {
      listener = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"));
      received = CompletableFuture.supplyAsync(() -> ask(request));
    }

    private String ask(int request) {
      try (var socket = listener.accept()) {
        readStartup(socket);
        var out = new ByteArrayOutputStream();
        out.writeBytes(new byte[] {'R', 0, 0, 0, (byte) (request == MD5 ? 12 : 8)});
        out.writeBytes(new byte[] {0, 0, 0, (byte) request});
        if (request == MD5) {
          out.writeBytes(new byte[] {1, 2, 3, 4});
        }
        socket.getOutputStream().write(out.toByteArray());
        var in = new DataInputStream(socket.getInputStream());
        if (in.read() != 'p') {
          return "";
        }
        return new String(in.readNBytes(in.readInt() - 4), StandardCharsets.ISO_8859_1);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static void readStartup(Socket socket) throws IOException {
      var in = new DataInputStream(socket.getInputStream());
      in.readNBytes(in.readInt() - 4);
    }

    String url() {
      return EmbeddedPostgres.url(listener.getLocalPort(), "cairn") + "&sslmode=disable";
    }

    void connect(String url) throws SQLException {
      DriverManager.getConnection(url, "cairn", PASSWORD).close();
    }

    @Override
    public void close() throws IOException {
      listener.close();
    }
  }
}
