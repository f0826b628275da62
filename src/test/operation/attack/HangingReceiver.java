import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Accepts connections, reads nothing, and never answers. */
final class HangingReceiver implements AutoCloseable {
  private final ServerSocket server;
  private final Queue<Socket> connections = new ConcurrentLinkedQueue<>();

  HangingReceiver() throws IOException {
    server = new ServerSocket(0, 100, InetAddress.getByName("127.0.0.1"));
    Thread.startVirtualThread(this::accept);
  }

  private void accept() {
    try {
      while (true) {
        connections.add(server.accept());
      }
    } catch (IOException e) {
      // It was closed.
    }
  }

  String url() {
    return "http://127.0.0.1:" + server.getLocalPort() + "/hang";
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (var connection : connections) {
      connection.close();
    }
  }
}
