package dev.cairn.access;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.cairn.access.Caller.SignedIn;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Glob;
import dev.cairn.model.Problem;
import dev.cairn.model.Sha256;
import dev.cairn.platform.Database;
import dev.cairn.platform.Ids;
import dev.cairn.platform.Page;
import dev.cairn.platform.PageBytes;
import dev.cairn.platform.Pager;
import dev.cairn.platform.Rows;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Personal access tokens: opaque, stored as hashes, looked up on every request, so that revoking
 * one acts on the next. The rules of making one are in {@link NewPat}; see {@code docs/access.md},
 * Personal access tokens.
 */
@ApplicationScoped
public class PersonalAccessTokens {
  /** The bytes of a token in a list; 512 for its name, times and names of members. */
  private static final String SIZE =
      """
      512 + %s + coalesce((
        select sum(256 + coalesce(octet_length(s.resource), 0)
                   + octet_length(to_json(s.permissions)::text) + %s)
        from token_scope s where s.token_id = t.id), 0)
      """
          .formatted(Pager.jsonBytes("t.description"), Pager.jsonBytes("s.allowed_matches"));

  private static final String PAGE =
      "select t.id, t.name, t.description, t.expires_at, t.revoked_at, t.created_at, "
          + Pager.fits(SIZE)
          + " from personal_access_token t where t.account_id = ? and t.id < ?"
          + Pager.inOrder("t.id desc")
          + " limit ?";

  private final Database database;
  private final AuditLog audit;
  private final AccountAudit accountAudit;
  private final Sessions sessions;
  private final ScopesCache scopes = new ScopesCache();

  /**
   * A token as its owner sees it.
   *
   * @param token the token itself, in the answer that made it and never again
   * @param scopes null where nothing is narrowed
   * @param warnings what was taken otherwise than it was asked for; null for none
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Pat(
      String token,
      String name,
      String description,
      List<ScopeEntry> scopes,
      Instant expiresAt,
      Instant revokedAt,
      Instant createdAt,
      List<String> warnings) {}

  /** A token of a list before its scopes are known. */
  private record Listed(
      UUID id,
      String name,
      String description,
      Instant expiresAt,
      Instant revokedAt,
      Instant createdAt) {

    /**
     * @param scopes null if nothing is narrowed
     */
    Pat pat(List<ScopeEntry> scopes) {
      return new Pat(null, name, description, scopes, expiresAt, revokedAt, createdAt, null);
    }
  }

  private record Found(UUID id, UUID accountId, String author, String name, Instant expiresAt) {}

  PersonalAccessTokens(
      Database database, AuditLog audit, AccountAudit accountAudit, Sessions sessions) {
    this.database = database;
    this.audit = audit;
    this.accountAudit = accountAudit;
    this.sessions = sessions;
  }

  /** Whether a bearer token claims to be a personal one. */
  static boolean isOne(String token) {
    return TokenFormat.PERSONAL.isClaimedBy(token);
  }

  /** Who the token stands for; empty where it is unknown, revoked or expired. */
  Optional<Caller> verify(String token, String address) {
    if (!TokenFormat.PERSONAL.isWellFormed(token)) {
      return Optional.empty();
    }
    return database
        .first(
            """
            select t.id, t.account_id, a.display_name, t.name, t.expires_at
            from personal_access_token t join account a on a.id = t.account_id
            where t.hash = ? and t.revoked_at is null and t.expires_at > ?
            """,
            row ->
                new Found(
                    row.getObject(1, UUID.class),
                    row.getObject(2, UUID.class),
                    row.getString(3),
                    row.getString(4),
                    Rows.instant(row, 5)),
            Sha256.of(token),
            Instant.now())
        .map(
            found ->
                new SignedIn(
                    found.accountId(),
                    found.author(),
                    new Caller.PersonalAccessToken(
                        found.name(), scopes.get(found.id(), this::load), found.expiresAt()),
                    address));
  }

  private Scopes load(UUID tokenId) {
    return new Scopes(
        database.list(
            """
            select resource, org_id, repo_id, permissions, allowed_matches
            from token_scope where token_id = ? order by ordinal
            """,
            row -> scope(row),
            tokenId));
  }

  /** Makes a token; {@code ALREADY_EXISTS} where the account has one of that name. */
  Pat create(SignedIn owner, NewPat wanted, List<Scope> entries, List<String> warnings) {
    var id = Ids.next();
    var token = TokenFormat.PERSONAL.random();
    return database.transaction(
        () -> {
          sessions.holdLive(owner);
          int made =
              database.update(
                  """
                  insert into personal_access_token
                    (id, account_id, name, description, hash, expires_at, created_at)
                  values (?, ?, ?, ?, ?, ?, ?) on conflict (account_id, name) do nothing
                  """,
                  id,
                  owner.accountId(),
                  wanted.name(),
                  wanted.description(),
                  Sha256.of(token),
                  wanted.expiresAt(),
                  wanted.createdAt());
          if (made == 0) {
            throw Problem.of(
                    ErrorCode.ALREADY_EXISTS,
                    "There is a token `%s` already.".formatted(wanted.name()))
                .hint("A revoked or expired token keeps its name; choose another one.");
          }
          for (int i = 0; i < entries.size(); i++) {
            store(id, i, entries.get(i));
          }
          record(owner, new Scopes(entries), "token.created", wanted.name());
          return new Pat(
              token,
              wanted.name(),
              wanted.description(),
              entries.isEmpty() ? null : entries.stream().map(Scope::entry).toList(),
              wanted.expiresAt(),
              null,
              wanted.createdAt(),
              warnings.isEmpty() ? null : warnings);
        });
  }

  private void store(UUID tokenId, int ordinal, Scope scope) {
    database.update(
        """
        insert into token_scope
          (token_id, ordinal, resource, org_id, repo_id, permissions, allowed_matches)
        values (?, ?, ?, ?, ?, ?, ?)
        """,
        tokenId,
        ordinal,
        scope.resource(),
        scope.orgId(),
        scope.repoId(),
        scope.permissions().stream().sorted().map(Permission::scope).toArray(String[]::new),
        scope
            .allowedMatches()
            .map(globs -> globs.stream().map(Glob::toString).toArray(String[]::new))
            .orElse(null));
  }

  /** The tokens of an account, revoked and expired ones too, newest first. */
  Page<Pat> list(SignedIn owner, int limit, Optional<String> cursor) {
    var list = "pats " + owner.accountId();
    var page =
        new Pager(limit)
            .read(
                database,
                list,
                PAGE,
                PersonalAccessTokens::listed,
                token -> List.of(token.id()),
                PageBytes.max(),
                owner.accountId(),
                Page.before(list, cursor),
                limit + 1);
    var scopes = entries(page.items().stream().map(Listed::id).toArray(UUID[]::new));
    return new Page<>(
        page.items().stream().map(token -> token.pat(scopes.get(token.id()))).toList(),
        page.nextCursor());
  }

  private static Listed listed(ResultSet row) throws SQLException {
    return new Listed(
        row.getObject(1, UUID.class),
        row.getString(2),
        row.getString(3),
        Rows.instant(row, 4),
        Rows.instant(row, 5),
        Rows.instant(row, 6));
  }

  /** The scope entries of some tokens; a token without any is not in the map. */
  private Map<UUID, List<ScopeEntry>> entries(UUID[] tokenIds) {
    return database
        .list(
            """
            select resource, org_id, repo_id, permissions, allowed_matches, token_id
            from token_scope where token_id = any (?) order by ordinal
            """,
            row -> Map.entry(row.getObject(6, UUID.class), scope(row).entry()),
            (Object) tokenIds)
        .stream()
        .collect(
            Collectors.groupingBy(
                Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
  }

  /** Revokes a token, also one that is revoked already. */
  void revoke(SignedIn owner, String name) {
    database.transaction(
        () -> {
          var found =
              database
                  .first(
                      """
                      select id, revoked_at from personal_access_token
                      where account_id = ? and name = ? for update
                      """,
                      row ->
                          Map.entry(
                              row.getObject(1, UUID.class),
                              Optional.ofNullable(Rows.instant(row, 2))),
                      owner.accountId(),
                      name)
                  .orElseThrow(() -> Problem.notFound("You have no token `" + name + "`."));
          if (found.getValue().isEmpty()) {
            database.update(
                "update personal_access_token set revoked_at = ? where id = ?",
                Instant.now(),
                found.getKey());
            record(owner, load(found.getKey()), "token.revoked", name);
          }
          return true;
        });
  }

  private void record(SignedIn owner, Scopes of, String action, String name) {
    audit.recordToken(owner, of, action, name);
    accountAudit.record(owner.accountId(), action, name, owner.address(), Map.of());
  }

  private static Scope scope(ResultSet row) throws SQLException {
    var allowed = row.getArray(5);
    return new Scope(
        row.getString(1),
        row.getObject(2, UUID.class),
        row.getObject(3, UUID.class),
        Arrays.stream(texts(row.getArray(4)))
            .map(Permission::of)
            .flatMap(Optional::stream)
            .collect(Collectors.toUnmodifiableSet()),
        allowed == null
            ? Optional.empty()
            : Optional.of(Arrays.stream(texts(allowed)).map(Glob::parse).toList()));
  }

  private static String[] texts(Array array) throws SQLException {
    return (String[]) array.getArray();
  }
}
