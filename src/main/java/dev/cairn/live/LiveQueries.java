package dev.cairn.live;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.token.LiveTickets;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.ClientGoneException;
import dev.cairn.platform.memory.ArrivingMessages;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Tells clients the results of queries whenever commits change them; see {@code docs/live.md}, Live
 * queries.
 */
@Singleton
class LiveQueries {
  private final Watches watches;
  private final AccessChecks checks;
  private final Changes changes;
  private final QueryRuns runs;
  private final LiveMetrics metrics;
  private final CairnConfig config;

  LiveQueries(
      Watches watches,
      AccessChecks checks,
      Changes changes,
      QueryRuns runs,
      LiveMetrics metrics,
      CairnConfig config) {
    this.watches = watches;
    this.checks = checks;
    this.changes = changes;
    this.runs = runs;
    this.metrics = metrics;
    this.config = config;
  }

  AccessChecks checks() {
    return checks;
  }

  Changes changes() {
    return changes;
  }

  QueryRuns runs() {
    return runs;
  }

  LiveMetrics metrics() {
    return metrics;
  }

  /** How many queries a client may follow over one WebSocket. */
  int maxQueries() {
    return config.limits().liveQueries();
  }

  /**
   * Begins to follow a repository for a client; the session is to be run.
   *
   * @param access granted for {@code repo:read}
   * @param isCompressing whether compression is agreed on
   * @param room counts the messages of the client
   * @param hangUp closes the connection of the client
   * @throws Problem as {@link Watches#open}; {@code UNAUTHENTICATED} if access has ended since the
   *     ticket was issued, {@code UNAVAILABLE} if that cannot be checked
   */
  LiveQuerySession open(
      RepositoryAccess access, boolean isCompressing, ArrivingMessages room, Runnable hangUp) {
    var watch = watches.open(List.of(access), ClientBytes.of(List.of(access)), hangUp);
    try {
      checks.requireAccess(watch, LiveTickets::invalid);
    } catch (InterruptedException _) {
      watch.close();
      Thread.currentThread().interrupt();
      throw new ClientGoneException();
    } catch (RuntimeException e) {
      watch.close();
      throw e;
    }
    return new LiveQuerySession(
        this, access, watch, Lifetime.of(config.live()), hangUp, isCompressing, room);
  }
}
