package dev.cairn.oauth;

import dev.cairn.platform.Database;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Deletes what is over: codes, devices, sessions, grants, and clients that nobody uses. Any number
 * of replicas may do it at once.
 */
@ApplicationScoped
class Forgetting {
  /** A spent code is kept for a day, so that its second use is known for what it is. */
  private static final Duration KEPT = Duration.ofDays(1);

  private static final List<String> TABLES =
      List.of(
          "oauth_code", "oauth_device", "browser_session", "oauth_refresh_token", "oauth_grant");

  private final Database database;

  Forgetting(Database database) {
    this.database = database;
  }

  @Scheduled(every = "1h", delayed = "2m")
  @RunOnVirtualThread
  void run() {
    var now = Instant.now();
    for (var table : TABLES) {
      database.update("delete from " + table + " where expires_at < ?", now.minus(KEPT));
    }
    database.update("delete from oauth_client where used_at < ?", now.minus(Clients.UNUSED));
  }
}
