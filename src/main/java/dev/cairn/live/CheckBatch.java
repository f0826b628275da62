package dev.cairn.live;

import dev.cairn.access.OngoingReads;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The clients that one statement authorizes again: those that are due first. The more of a caller's
 * clients come before one, the later is its turn, so that a caller with many does not hold up
 * others.
 */
record CheckBatch(List<Watch> clients, Set<OngoingReads.Read> reads) {
  private static final Comparator<Turn> ORDER =
      Comparator.comparing(Turn::isLater).thenComparingInt(Turn::rank);

  /** A client, and when it is to be authorized, as of one moment. */
  private record Due(Watch client, long left) {}

  /**
   * The turn of a client.
   *
   * @param isLater whether it need not be authorized now
   * @param rank the number of reads of its caller up to this client
   */
  private record Turn(Watch client, boolean isLater, int rank) {}

  /**
   * The next clients.
   *
   * @param all who follow
   * @param maxReads how many reads they have together, at most: at least those of one client
   */
  static CheckBatch of(Collection<Watch> all, int maxReads, long now) {
    var clients = new ArrayList<Watch>();
    var reads = new HashSet<OngoingReads.Read>();
    for (var client : inOrder(all, now)) {
      if (reads.size() + client.reads().size() <= maxReads || reads.containsAll(client.reads())) {
        clients.add(client);
        reads.addAll(client.reads());
      }
    }
    return new CheckBatch(clients, reads);
  }

  private static List<Watch> inOrder(Collection<Watch> all, long now) {
    Map<String, Integer> ranks = new HashMap<>();
    return all.stream()
        .map(client -> new Due(client, client.access().nanosUntilDue(now)))
        .sorted(Comparator.comparingLong(Due::left))
        .map(due -> turn(due, ranks))
        .toList()
        .stream()
        .sorted(ORDER)
        .map(Turn::client)
        .toList();
  }

  private static Turn turn(Due due, Map<String, Integer> ranks) {
    var client = due.client();
    int rank = ranks.merge(client.caller(), client.reads().size(), Integer::sum);
    return new Turn(client, due.left() > 0, rank);
  }
}
