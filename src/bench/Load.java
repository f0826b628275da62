import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/** Requests of concurrent clients. */
final class Load {
  static final int SECONDS = Integer.getInteger("seconds", 3);
  static final int CLIENTS = Integer.getInteger("clients", 16);

  private Load() {}

  /** One client's request; returns how much it counts. */
  interface Request {
    int send(int client) throws Exception;
  }

  /** The throughput of {@link #CLIENTS} concurrent clients, in a second. */
  static double each(Request request) throws Exception {
    return each(CLIENTS, request);
  }

  /** The same with another number of clients. */
  static double each(int clients, Request request) throws Exception {
    long start = System.nanoTime();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var counts =
          threads.invokeAll(
              IntStream.range(0, clients)
                  .<Callable<Long>>mapToObj(
                      i ->
                          () -> {
                            long count = 0;
                            while (seconds(start) < SECONDS) {
                              count += request.send(i);
                            }
                            return count;
                          })
                  .toList());
      long all = 0;
      for (var count : counts) {
        all += count.get();
      }
      return all / seconds(start);
    }
  }

  /** Since a time of {@link System#nanoTime}. */
  static double seconds(long start) {
    return (System.nanoTime() - start) / 1e9;
  }
}
