package dev.cairn.oauth;

import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Expired;
import dev.cairn.work.Chore;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Deletes expired codes and devices, and clients that are not used. */
@Singleton
class OAuthExpiry implements Chore {
  /** How long a used code is kept, so that a second use is recognized. */
  private static final Duration USED_CODE_RETENTION = Duration.ofDays(1);

  private static final List<Expired> ENDED =
      List.of(new Expired("oauth_code", "expires_at"), new Expired("oauth_device", "expires_at"));

  private static final Expired CLIENTS = new Expired("oauth_client", "used_at");

  private final Database database;

  OAuthExpiry(Database database) {
    this.database = database;
  }

  @Override
  public String name() {
    return "oauth";
  }

  @Override
  public boolean runBatch() {
    var now = Instant.now();
    boolean more = CLIENTS.deleteSome(database, now.minus(Clients.UNUSED_LIFETIME));
    more |= Clients.WITHOUT_TOKEN.deleteSome(database, now.minus(Clients.NEVER_USED_LIFETIME));
    for (var ended : ENDED) {
      more |= ended.deleteSome(database, now.minus(USED_CODE_RETENTION));
    }
    return more;
  }
}
