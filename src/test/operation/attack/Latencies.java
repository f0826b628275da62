import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The times and failures of requests of one kind; may be used by several threads. */
final class Latencies {
  private final List<Long> nanos = Collections.synchronizedList(new ArrayList<>());
  private final Tally failures = new Tally();

  void succeeded(long nanosTaken) {
    nanos.add(nanosTaken);
  }

  void failed(String why, long nanosTaken) {
    nanos.add(nanosTaken);
    failures.add(why);
  }

  int failed() {
    return failures.total();
  }

  int count() {
    return nanos.size();
  }

  /** The time that this share of the requests took at most. */
  long milliseconds(double share) {
    synchronized (nanos) {
      if (nanos.isEmpty()) {
        return 0;
      }
      var sorted = nanos.stream().sorted().toList();
      return sorted.get((int) Math.min(sorted.size() - 1, Math.floor(share * sorted.size())))
          / 1_000_000;
    }
  }

  @Override
  public String toString() {
    var times = "%,d / %,d / %,d".formatted(milliseconds(0.5), milliseconds(0.99), milliseconds(1));
    return failed() == 0
        ? times
        : "%s, %d of %d failed (%s)".formatted(times, failed(), count(), failures);
  }
}
