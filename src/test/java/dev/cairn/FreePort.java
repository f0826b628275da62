package dev.cairn;

import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port for a process that is started in a moment. It is below those that the system gives to
 * connections, so none of these takes it meanwhile.
 */
public final class FreePort {
  private static final int FIRST = 20_000;
  private static final int END = 32_000;

  private FreePort() {}

  /** One that nobody listens at now. */
  public static int next() throws IOException {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, END);
      try (var free = new ServerSocket(port)) {
        return free.getLocalPort();
      } catch (BindException e) {
        // taken: another one
      }
    }
  }
}
