package dev.cairn.access;

import dev.cairn.platform.Database;
import io.quarkus.scheduler.Scheduled;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;

/**
 * Deletes what time has made useless: expired refresh tokens, addresses of long ago, and rate
 * limits that nobody uses. Every replica does so; what one has locked, the others pass over.
 */
@ApplicationScoped
class Expiry {
  /** Every window of a rate limit is shorter. */
  private static final Duration UNUSED = Duration.ofDays(1);

  /** In one statement, so that none runs long or holds many locks. */
  private static final int BATCH = 1_000;

  private final Database database;

  Expiry(Database database) {
    this.database = database;
  }

  @Scheduled(every = "1h", delayed = "5m")
  void run() {
    var now = Instant.now();
    delete("refresh_token", "hash", "expires_at", now);
    delete("sign_in_address", "ctid", "expires_at", now);
    delete("rate_limit", "bucket", "updated_at", now.minus(UNUSED));
  }

  private void delete(String table, String key, String time, Instant before) {
    var sql =
        """
        delete from %1$s where %2$s in (
          select %2$s from %1$s where %3$s < ? order by %3$s limit ? for update skip locked)
        """
            .formatted(table, key, time);
    int deleted;
    do {
      deleted = database.update(sql, before, BATCH);
    } while (deleted == BATCH);
  }
}
