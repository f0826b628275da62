package dev.cairn;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Connections to a service through a port of their own, which can be cut all at once. */
final class Wires implements AutoCloseable {
  private final ServerSocket entrance;
  private final int target;
  private final List<Socket> open = new CopyOnWriteArrayList<>();

  private Wires(ServerSocket entrance, int target) {
    this.entrance = entrance;
    this.target = target;
  }

  /** Accepts connections for a port of this machine. */
  static Wires to(int port) throws IOException {
    var wires = new Wires(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), port);
    Thread.startVirtualThread(wires::accept);
    return wires;
  }

  /** Where it listens. */
  int port() {
    return entrance.getLocalPort();
  }

  private void accept() {
    while (!entrance.isClosed()) {
      try {
        var from = entrance.accept();
        var to = new Socket(InetAddress.getLoopbackAddress(), target);
        open.add(from);
        open.add(to);
        Thread.startVirtualThread(() -> copy(from, to));
        Thread.startVirtualThread(() -> copy(to, from));
      } catch (IOException e) {
        // It is closed, or the target is gone: the next connection may do better.
      }
    }
  }

  private static void copy(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // It was cut.
    }
  }

  /** Ends all connections; new ones can be made. */
  void cut() throws IOException {
    for (var socket : open) {
      socket.close();
    }
    open.clear();
  }

  @Override
  public void close() throws IOException {
    entrance.close();
    cut();
  }
}
