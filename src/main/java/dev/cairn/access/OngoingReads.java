package dev.cairn.access;

import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/**
 * Authorizes reads again that continue after their request was authorized, many of them in one
 * statement. See {@code docs/live.md}, When access ends.
 */
@ApplicationScoped
public class OngoingReads {
  private static final String ALLOWED =
      "select h.ordinal, "
          + NewestSeq.of("r.id")
          + """
           as seq
          from unnest(?::uuid[], ?::uuid[], ?::text[], ?::uuid[], ?::uuid[], ?::text[])
            with ordinality
            as h (repo_id, account_id, pat, run_id, session_id, component_token, ordinal)
          join repository r on r.id = h.repo_id
          where
          """
          + Recheck.READS_OF_ROWS;

  private final Database database;

  /**
   * A read of a repository. Equal ones are authorized together.
   *
   * @param holder whoever reads; null without credentials
   * @param expiresAt when the reader's token expires; null if it does not
   */
  public record Read(UUID repoId, Recheck.Holder holder, Instant expiresAt) {
    /**
     * The read of an access.
     *
     * @param access granted for {@code repo:read}
     */
    public static Read of(RepositoryAccess access) {
      return switch (access.caller()) {
        case Caller.Anonymous _ -> new Read(access.repoId(), null, null);
        case Caller.SignedIn account ->
            new Read(access.repoId(), Recheck.Holder.of(account), account.token().expiresAt());
      };
    }

    private boolean isExpired(Instant now) {
      return expiresAt != null && !expiresAt.isAfter(now);
    }
  }

  OngoingReads(Database database) {
    this.database = database;
  }

  /**
   * The reads that are still allowed, each with the sequence number of the newest commit of its
   * repository.
   */
  public Map<Read, Long> allowed(Collection<Read> reads) {
    var now = Instant.now();
    var valid = reads.stream().distinct().filter(read -> !read.isExpired(now)).toList();
    var allowed = new HashMap<Read, Long>();
    if (!valid.isEmpty()) {
      database.list(
          ALLOWED,
          row -> allowed.put(valid.get(row.getInt("ordinal") - 1), row.getLong("seq")),
          Columns.uuids(valid, Read::repoId),
          uuids(valid, Recheck.Holder::accountId),
          strings(valid, Recheck.Holder::pat),
          uuids(valid, Recheck.Holder::runId),
          uuids(valid, Recheck.Holder::sessionId),
          strings(valid, Recheck.Holder::componentToken),
          Recheck.roles(Permission.REPO_READ));
    }
    return allowed;
  }

  private static String[] strings(List<Read> reads, Function<Recheck.Holder, String> part) {
    return Columns.strings(reads, read -> read.holder() == null ? null : part.apply(read.holder()));
  }

  private static UUID[] uuids(List<Read> reads, Function<Recheck.Holder, UUID> part) {
    return Columns.uuids(reads, read -> read.holder() == null ? null : part.apply(read.holder()));
  }
}
