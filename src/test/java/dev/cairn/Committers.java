package dev.cairn;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * Clients that go on making things, now at the one replica and now at the other one, half of them
 * by a connection as long as it lasts and half by a new one each time. They know what became of
 * each thing.
 */
final class Committers implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(Committers.class);

  /**
   * How long a client waits after it found nobody listening: a service that starts needs the
   * processor.
   */
  private static final int REST_MILLIS = 100;

  private final String path;
  private final String token;
  private final List<Supplier<Replica>> replicas;
  private final ExecutorService clients;
  private final List<Future<?>> going = new ArrayList<>();
  private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
  private final Set<String> refused = ConcurrentHashMap.newKeySet();
  private final Set<String> broken = ConcurrentHashMap.newKeySet();

  /**
   * Begins.
   *
   * @param path of the repository, which has a shape S
   * @param token what the clients are authorized by
   */
  Committers(int count, String path, String token, Supplier<Replica> one, Supplier<Replica> other) {
    this.path = path;
    this.token = token;
    replicas = List.of(one, other);
    clients = Executors.newFixedThreadPool(count);
    for (int i = 0; i < count; i++) {
      int client = i;
      going.add(clients.submit(() -> commit(client)));
    }
  }

  /** The names of the things that a replica said it had made. */
  Set<String> acknowledged() {
    return acknowledged;
  }

  /** Returns when that many more are acknowledged. */
  void await(int more) throws InterruptedException {
    int count = acknowledged.size() + more;
    Eventually.await(
        Duration.ofMinutes(5),
        () -> count + " commits are acknowledged: " + acknowledged.size(),
        () -> {
          for (var client : going) {
            assertFalse(client.isDone(), () -> "a client has ended: " + client);
          }
          return acknowledged.size() >= count;
        });
  }

  /** Has the clients end, and returns when each has the answer to its last request. */
  void end() throws Exception {
    clients.shutdownNow();
    for (var client : going) {
      client.get();
    }
  }

  @Override
  public void close() {
    clients.shutdownNow();
    clients.close();
  }

  @Override
  public String toString() {
    return "%d acknowledged, %d refused, %d without an answer"
        .formatted(acknowledged.size(), refused.size(), broken.size());
  }

  private void commit(int client) {
    boolean keeps = client % 2 == 0;
    Wire[] wires = new Wire[2];
    for (int n = 0; !Thread.currentThread().isInterrupted(); n++) {
      var name = client + "-" + n;
      int where = n % 2;
      try {
        if (wires[where] == null) {
          wires[where] = new Wire(replicas.get(where).get().port(), token);
        }
        var answer = wires[where].post(path + "/commits", thing(name));
        (switch (answer.status()) {
              case 201 -> acknowledged;
              case 503 -> refused;
              default -> throw new AssertionError(answer.text());
            })
            .add(name);
        if (!keeps || !answer.stays()) {
          wires[where].close();
          wires[where] = null;
        }
      } catch (ConnectException e) {
        refused.add(name);
        rest();
      } catch (IOException e) {
        LOG.infof("%s: %s", name, e);
        broken.add(name);
        // None where the connection broke while it was made.
        if (wires[where] != null) {
          wires[where].close();
          wires[where] = null;
        }
      }
    }
  }

  private static void rest() {
    try {
      Thread.sleep(REST_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A commit that makes one thing. */
  static String thing(String name) {
    return "{\"operations\":[{\"operation\":\"add\",\"name\":\"S/%s\",\"data\":{}}]}"
        .formatted(name);
  }
}
