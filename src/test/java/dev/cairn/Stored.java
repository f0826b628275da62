package dev.cairn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.platform.database.OwnConnections;

/** The bytes that a repository stores: as they were counted, and as its rows have them. */
public final class Stored {
  private static final String COUNTED =
      """
      select h.stored_bytes + r.other_bytes
               + (select coalesce(sum(c.bytes), 0) from stored_bytes_change c where c.repo_id = r.id),
             stored_bytes_of(r.id)
      from repository r join repository_head h on h.repo_id = r.id where r.id = ?
      """;

  private record Bytes(long counted, long measured) {}

  private Stored() {}

  /** Fails unless what was counted is what there is; answers it. */
  public static long assertCounted(String repository) {
    var bytes =
        OwnConnections.database()
            .first(
                COUNTED, row -> new Bytes(row.getLong(1), row.getLong(2)), Api.repoId(repository))
            .orElseThrow();
    assertEquals(bytes.measured(), bytes.counted(), "the bytes of " + repository);
    return bytes.counted();
  }
}
