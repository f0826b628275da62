package dev.cairn;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;

/** Many clients that send requests all the time, while somebody changes what they may do. */
public final class AccessRace {
  private static final int CLIENTS_OF_EACH = 16;
  private static final int REQUESTS_BEFORE = 8;
  private static final int REQUESTS_AFTER = 8;

  private AccessRace() {}

  /**
   * The statuses of the requests that began after the change was answered, each status once.
   *
   * @param requests sent by as many clients each, all at once; each answers its status
   * @return one set for each of these requests
   */
  public static List<Set<Integer>> late(Runnable change, IntSupplier... requests) throws Exception {
    var isMade = new AtomicBoolean();
    var warm = new CountDownLatch(requests.length * CLIENTS_OF_EACH * REQUESTS_BEFORE);
    var late = new ArrayList<Set<Integer>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var clients = new ArrayList<Future<Void>>();
      for (var request : requests) {
        var statuses = new ConcurrentSkipListSet<Integer>();
        late.add(statuses);
        Callable<Void> client =
            () -> {
              for (int after = 0; after < REQUESTS_AFTER; ) {
                boolean isLate = isMade.get();
                int status = request.getAsInt();
                warm.countDown();
                if (isLate) {
                  statuses.add(status);
                  after++;
                }
              }
              return null;
            };
        for (int i = 0; i < CLIENTS_OF_EACH; i++) {
          clients.add(threads.submit(client));
        }
      }
      try {
        boolean isWarm = warm.await(1, TimeUnit.MINUTES);
        for (var client : clients) {
          if (client.isDone()) {
            client.get();
          }
        }
        assertTrue(isWarm, "all clients have sent some requests");
        change.run();
      } finally {
        isMade.set(true);
      }
      for (var client : clients) {
        client.get();
      }
    }
    return late;
  }
}
