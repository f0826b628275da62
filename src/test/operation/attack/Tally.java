import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** How often each thing happened, such as each status of an answer. */
final class Tally {
  private final ConcurrentSkipListMap<String, AtomicInteger> counts = new ConcurrentSkipListMap<>();

  void add(String what) {
    counts.computeIfAbsent(what, _ -> new AtomicInteger()).incrementAndGet();
  }

  void add(int status) {
    add("" + status);
  }

  int count(String what) {
    var count = counts.get(what);
    return count == null ? 0 : count.get();
  }

  int total() {
    return counts.values().stream().mapToInt(AtomicInteger::get).sum();
  }

  /** How many statuses are between these, both included. */
  int between(int lowest, int highest) {
    return counts.entrySet().stream()
        .filter(entry -> entry.getKey().matches("\\d{3}"))
        .filter(entry -> Integer.parseInt(entry.getKey()) >= lowest)
        .filter(entry -> Integer.parseInt(entry.getKey()) <= highest)
        .mapToInt(entry -> entry.getValue().get())
        .sum();
  }

  @Override
  public String toString() {
    return counts.entrySet().stream()
        .map(entry -> entry.getKey() + ": " + entry.getValue())
        .collect(Collectors.joining(", "));
  }
}
