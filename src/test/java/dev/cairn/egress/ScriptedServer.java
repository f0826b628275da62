package dev.cairn.egress;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A server on a loopback address that does with each connection what the test says. */
public final class ScriptedServer implements AutoCloseable {
  /** What happens on a connection, which is closed afterwards. */
  @FunctionalInterface
  public interface Script {
    void serve(ScriptedServer server, Socket socket) throws IOException, InterruptedException;
  }

  private final ServerSocket listener;
  private final Script script;
  private final BlockingQueue<String> requests = new LinkedBlockingQueue<>();
  private final BlockingQueue<Socket> connections = new LinkedBlockingQueue<>();
  private final CountDownLatch hungUp = new CountDownLatch(1);

  private ScriptedServer(ServerSocket listener, Script script) {
    this.listener = listener;
    this.script = script;
    Thread.ofVirtual().start(this::accept);
  }

  /** One on any free port. */
  public static ScriptedServer on(String address, Script script) throws IOException {
    return on(address, 0, script);
  }

  /**
   * One on a port that another address has too. It must be no 127.0.0.1, where the port may be in
   * use by anybody.
   */
  static ScriptedServer on(String address, int port, Script script) throws IOException {
    return with(new ServerSocket(port, 50, InetAddress.ofLiteral(address)), script);
  }

  /** One with a listener of the test's own, such as one that speaks TLS. */
  static ScriptedServer with(ServerSocket listener, Script script) {
    return new ScriptedServer(listener, script);
  }

  /** Reads the request and sends these bytes. */
  public static Script answering(String text) {
    return (server, socket) -> {
      server.readRequest(socket);
      write(socket, text);
    };
  }

  /** Reads the request and answers 200 with a body of this many bytes. */
  static Script answering(int length) {
    return (server, socket) -> {
      server.readRequest(socket);
      write(socket, "HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n");
      socket.getOutputStream().write(new byte[length]);
    };
  }

  /** Reads the request and answers 200 once {@code release} says so. */
  static Script answeringAfter(CountDownLatch release) {
    return (server, socket) -> {
      server.readRequest(socket);
      if (release.await(20, TimeUnit.SECONDS)) {
        write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
      }
    };
  }

  public static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
  }

  /** Writes until the other side has closed the connection; true once it has. */
  public boolean writeForever(OutputStream out, byte[] piece, long pause)
      throws InterruptedException {
    try {
      while (!listener.isClosed()) {
        out.write(piece);
        out.flush();
        Thread.sleep(pause);
      }
      return false;
    } catch (IOException e) {
      hungUp.countDown();
      return true;
    }
  }

  /** Waits for the other side to close the connection. */
  public void awaitEnd(Socket socket) {
    try {
      socket.getInputStream().transferTo(OutputStream.nullOutputStream());
      hungUp.countDown();
    } catch (IOException e) {
      hungUp.countDown();
    }
  }

  /** Reads a head, and the body that its Content-Length announces, and keeps both. */
  public void readRequest(Socket socket) throws IOException {
    var in = socket.getInputStream();
    var head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      head.write(next(in));
    }
    var text = head.toString(StandardCharsets.ISO_8859_1);
    var length =
        text.lines()
            .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("content-length:"))
            .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
            .sum();
    requests.add(text + new String(in.readNBytes(length), StandardCharsets.ISO_8859_1));
  }

  private static int next(InputStream in) throws IOException {
    int next = in.read();
    if (next < 0) {
      throw new IOException("the request ended early");
    }
    return next;
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** The next request that came, or null when none does within ten seconds. */
  String request() throws InterruptedException {
    return requests.poll(10, TimeUnit.SECONDS);
  }

  /** How many connections were made. */
  public int connections() {
    return connections.size();
  }

  /** Whether the other side closed a connection, within ten seconds. */
  boolean sawTheEnd() throws InterruptedException {
    return hungUp.await(10, TimeUnit.SECONDS);
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        var socket = listener.accept();
        connections.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      script.serve(this, socket);
    } catch (IOException e) {
      hungUp.countDown();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (var socket : connections) {
      socket.close();
    }
  }
}
