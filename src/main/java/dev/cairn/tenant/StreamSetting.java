package dev.cairn.tenant;

import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.UUID;

/** Whether repositories take streaming submissions; {@code docs/access.md}, Settings. */
@ApplicationScoped
public class StreamSetting {
  private final Database database;

  StreamSetting(Database database) {
    this.database = database;
  }

  /** Whether it is on in a repository; false if there is no such repository. */
  public boolean isOn(UUID repoId) {
    return database
        .first(
            """
            select from repository
            where id = ? and settings::jsonb -> 'streams' -> 'enabled' = 'true'::jsonb
            """,
            _ -> true,
            repoId)
        .isPresent();
  }
}
