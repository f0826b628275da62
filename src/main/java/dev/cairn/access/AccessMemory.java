package dev.cairn.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.cairn.platform.database.Condition;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * A cache of the access that this replica has granted, so that authorization needs no round trip of
 * its own. Every change that may take access away increments the version of an account or of an
 * organization in its transaction, and the first query of each request reads both versions in the
 * same round trip: so no request succeeds with an outdated entry. Only granted access is cached.
 * See {@code docs/access.md}, Remembered access.
 */
@ApplicationScoped
public class AccessMemory {
  private static final int MAX_ENTRIES = 10_000;

  private static final String VERSIONS =
      """
      select (select version from access_version where id = ?),
             (select version from access_version where id = ?),
             %s
      """
          .formatted(NewestSeq.of("?"));

  private final Cache<UUID, Long> sessions = Caffeine.newBuilder().maximumSize(MAX_ENTRIES).build();
  private final Cache<RepositoryKey, ResourceLookup.Repository> repositories =
      Caffeine.newBuilder().maximumSize(MAX_ENTRIES).build();

  /**
   * The key of a remembered repository: the caller's account, and the name of the repository.
   *
   * @param accountId null for callers without credentials
   */
  private record RepositoryKey(UUID accountId, String org, String repo) {
    static RepositoryKey of(Caller caller, String org, String repo) {
      return new RepositoryKey(
          caller.accountIdOrNull(), org.toLowerCase(Locale.ROOT), repo.toLowerCase(Locale.ROOT));
    }
  }

  /** Thrown if a cached entry is outdated: the request is authorized again. */
  static final class ChangedException extends Condition.UnmetException {
    private static final long serialVersionUID = 1L;

    private ChangedException() {
      super("access has changed since it was granted");
    }
  }

  /** That access has not changed since it was granted; also tells the newest sequence number. */
  static final class Unchanged extends Condition {
    private final Long ofAccount;
    private final Long ofOrganization;
    private long seq;

    private Unchanged(Caller caller, ResourceLookup.Repository found) {
      super(VERSIONS, caller.accountIdOrNull(), found.orgId(), found.repoId());
      this.ofAccount = version(caller);
      this.ofOrganization = found.orgVersion();
    }

    private static Long version(Caller caller) {
      return switch (caller) {
        case Caller.SignedIn account -> account.accessVersion();
        case Caller.Anonymous _ -> null;
      };
    }

    @Override
    protected void check(ResultSet row) throws SQLException {
      seq = row.getLong(3);
      if (row.wasNull()
          || !Objects.equals(ofAccount, row.getObject(1, Long.class))
          || !Objects.equals(ofOrganization, row.getObject(2, Long.class))) {
        throw new ChangedException();
      }
    }

    /** The repository's newest sequence number, once the condition is met. */
    long seq() {
      return seq;
    }
  }

  /** The version of the account at which a session was live; null if it is not remembered. */
  public Long liveSession(UUID id) {
    return sessions.getIfPresent(id);
  }

  /** Remembers that a session is live at a version of its account. */
  void keepLiveSession(UUID id, long version) {
    sessions.put(id, version);
  }

  /** A repository as the caller last found it, if the caller's token is cached too. */
  Optional<ResourceLookup.Repository> repository(Caller caller, String org, String repo) {
    return caller instanceof Caller.SignedIn account && account.accessVersion() == null
        ? Optional.empty()
        : Optional.ofNullable(repositories.getIfPresent(RepositoryKey.of(caller, org, repo)));
  }

  /** Remembers a repository that the caller may see. */
  void keep(Caller caller, ResourceLookup.Repository found) {
    repositories.put(RepositoryKey.of(caller, found.org(), found.repo()), found);
  }

  /** The condition that a cached entry is not outdated. */
  Unchanged unchanged(Caller caller, ResourceLookup.Repository found) {
    return new Unchanged(caller, found);
  }
}
