package dev.cairn.access.token;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.cairn.access.Caller;
import dev.cairn.access.Caller.SignedIn;
import dev.cairn.access.Scope;
import dev.cairn.access.ScopeEntry;
import dev.cairn.access.Scopes;
import dev.cairn.access.audit.AccountAudit;
import dev.cairn.access.audit.AuditLog;
import dev.cairn.access.limit.CredentialLimiter;
import dev.cairn.access.limit.Quotas;
import dev.cairn.access.limit.Quotas.Quota;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.access.session.Sessions;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.model.Sha256;
import dev.cairn.platform.Ids;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Rows;
import dev.cairn.platform.database.UniqueRow;
import dev.cairn.platform.memory.PageBytes;
import dev.cairn.platform.page.Cursors;
import dev.cairn.platform.page.Page;
import dev.cairn.platform.page.Pager;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Personal access tokens: opaque, stored as hashes, looked up on every request, so that revoking
 * one acts on the next. The rules for new tokens are in {@link NewPat}; see {@code docs/access.md},
 * Personal access tokens.
 */
@ApplicationScoped
public class PersonalAccessTokens {
  /** How many valid tokens are cached. */
  private static final int MAX_FOUND = 10_000;

  /**
   * How long the row of an ended token is kept at least: links, tickets, event streams and waiting
   * commits name their token, and end because it is there and has ended.
   */
  private static final int HOURS_AFTER_END = 24;

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
  private final ReadBounds bounds;
  private final Cursors cursors;
  private final AuditLog audit;
  private final AccountAudit accountAudit;
  private final Sessions sessions;
  private final CredentialLimiter credentialLimiter;
  private final Quotas quotas;
  private final TokenScopes tokenScopes;
  private final ServiceTokens serviceTokens;
  private final ScopesCache scopes = new ScopesCache();
  private final Cache<ByteBuffer, Found> found =
      Caffeine.newBuilder().maximumSize(MAX_FOUND).build();

  /**
   * A token, as its owner sees it.
   *
   * @param token the token itself, in the answer that made it and never again
   * @param scopes null if nothing is narrowed
   * @param warnings how the token differs from the request; null if it does not
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

  /** A token of a list, before its scopes are read. */
  private record Listed(
      UUID id,
      String name,
      String description,
      Instant expiresAt,
      Instant revokedAt,
      Instant createdAt) {

    /**
     * @param entries null if nothing is narrowed
     */
    Pat pat(List<ScopeEntry> entries) {
      return new Pat(null, name, description, entries, expiresAt, revokedAt, createdAt, null);
    }
  }

  /**
   * A token that was found valid.
   *
   * @param accessVersion the version of the account at that time
   */
  private record Found(
      UUID id, UUID accountId, String author, String name, Instant expiresAt, long accessVersion) {

    Caller caller(Scopes scopes, String address) {
      return new SignedIn(
          accountId,
          author,
          new Caller.PersonalAccessToken(name, scopes, expiresAt),
          address,
          accessVersion);
    }
  }

  PersonalAccessTokens(
      Database database,
      ReadBounds bounds,
      Cursors cursors,
      AuditLog audit,
      AccountAudit accountAudit,
      Sessions sessions,
      CredentialLimiter credentialLimiter,
      Quotas quotas,
      TokenScopes tokenScopes,
      ServiceTokens serviceTokens) {
    this.database = database;
    this.bounds = bounds;
    this.cursors = cursors;
    this.audit = audit;
    this.accountAudit = accountAudit;
    this.sessions = sessions;
    this.credentialLimiter = credentialLimiter;
    this.quotas = quotas;
    this.tokenScopes = tokenScopes;
    this.serviceTokens = serviceTokens;
  }

  /** Whether a bearer token has the prefix of a personal access token. */
  public static boolean hasFormat(String token) {
    return TokenFormat.PERSONAL.isClaimedBy(token);
  }

  /**
   * The caller of a token that was found valid before: sends no query, so it must be verified by
   * its {@code accessVersion}.
   */
  public Optional<Caller> known(String token, String address) {
    return Optional.ofNullable(found.getIfPresent(key(Sha256.of(token))))
        .filter(known -> Instant.now().isBefore(known.expiresAt()))
        .flatMap(known -> scopes.known(known.id()).map(carried -> known.caller(carried, address)));
  }

  /** The caller of a token; empty if it is unknown, revoked or expired. */
  public Optional<Caller> verify(String token, String address) {
    if (!TokenFormat.PERSONAL.isWellFormed(token)) {
      return Optional.empty();
    }
    var hash = Sha256.of(token);
    var valid =
        database.first(
            """
            select t.id, t.account_id, a.display_name, t.name, t.expires_at,
              (select version from access_version v where v.id = t.account_id) as access_version
            from personal_access_token t join account a on a.id = t.account_id
            where t.hash = ? and t.revoked_at is null and t.expires_at > ?
            """,
            row ->
                new Found(
                    row.getObject("id", UUID.class),
                    row.getObject("account_id", UUID.class),
                    row.getString("display_name"),
                    row.getString("name"),
                    Rows.instant(row, "expires_at"),
                    row.getLong("access_version")),
            hash,
            Instant.now());
    valid.ifPresentOrElse(now -> found.put(key(hash), now), () -> found.invalidate(key(hash)));
    return valid.map(now -> now.caller(scopes(now.id()), address));
  }

  /** The scopes of a token, which are kept once for all who use it. */
  Scopes scopes(UUID tokenId) {
    return scopes.get(tokenId, tokenScopes::of);
  }

  private static ByteBuffer key(byte[] hash) {
    return ByteBuffer.wrap(hash);
  }

  /**
   * Creates a token.
   *
   * @throws Problem {@code ALREADY_EXISTS} if the account has one with that name; {@code
   *     RATE_LIMITED} if it has too many that are valid
   */
  Pat create(SignedIn owner, NewPat wanted, List<Scope> entries, List<String> warnings) {
    var token = TokenFormat.PERSONAL.random();
    var made = new PersonalAccessToken();
    made.id = Ids.next();
    made.accountId = owner.accountId();
    made.name = wanted.name();
    made.description = wanted.description();
    made.hash = Sha256.of(token);
    made.expiresAt = wanted.expiresAt();
    made.createdAt = wanted.createdAt();
    return credentialLimiter.ofAccount(
        owner.accountId(),
        () -> {
          makeRoom(owner.accountId());
          sessions.holdLive(owner);
          insert(made);
          tokenScopes.add(made.id, entries);
          record(owner, new Scopes(entries), "token.created", made.name);
          return new Pat(
              token,
              made.name,
              made.description,
              entries.isEmpty() ? null : entries.stream().map(Scope::entry).toList(),
              made.expiresAt,
              null,
              made.createdAt,
              warnings.isEmpty() ? null : warnings);
        });
  }

  /**
   * Deletes tokens that ended long ago if the account keeps too many for one more. Holds off all
   * others of this account until this transaction ends; before any of its sessions is locked, since
   * a change of the password locks the account first.
   */
  private void makeRoom(UUID accountId) {
    if (!quotas.isOn(Quota.TOKENS)) {
      return;
    }
    database.list("select from account where id = ? for no key update", _ -> true, accountId);
    long kept =
        database
            .first(
                "select count(*) from personal_access_token where account_id = ?",
                row -> row.getLong(1),
                accountId)
            .orElseThrow();
    int deleted =
        database.update(
            """
            delete from personal_access_token where id in (
              select id from personal_access_token
              where account_id = ?
                and least(revoked_at, expires_at) < now() - make_interval(hours => ?)
              order by least(revoked_at, expires_at) limit ?)
            """,
            accountId,
            HOURS_AFTER_END,
            Math.max(0, kept + 1 - quotas.limit(Quota.TOKENS)));
    quotas.refuseOneMore(Quota.TOKENS, kept - deleted);
  }

  private static void insert(PersonalAccessToken made) {
    UniqueRow.persist(
        made,
        () ->
            Problem.of(
                    ErrorCode.ALREADY_EXISTS, "There is a token `%s` already.".formatted(made.name))
                .hint("A revoked or expired token keeps its name; choose another one."));
  }

  /** The tokens of an account, revoked and expired ones too, newest first. */
  Page<Pat> list(SignedIn owner, int limit, Optional<String> cursor) {
    return bounds.within(owner, () -> listed(owner, limit, cursor));
  }

  private Page<Pat> listed(SignedIn owner, int limit, Optional<String> cursor) {
    var list = "pats " + owner.accountId();
    var page =
        new Pager(cursors, list, limit)
            .read(
                database,
                PAGE,
                PersonalAccessTokens::listed,
                token -> List.of(token.id()),
                PageBytes.max(),
                owner.accountId(),
                Page.before(cursors, list, cursor),
                limit + 1);
    var entries = tokenScopes.entries(owner.accountId(), Columns.uuids(page.items(), Listed::id));
    return new Page<>(
        page.items().stream().map(token -> token.pat(entries.get(token.id()))).toList(),
        page.nextCursor());
  }

  private static Listed listed(ResultSet row) throws SQLException {
    return new Listed(
        row.getObject("id", UUID.class),
        row.getString("name"),
        row.getString("description"),
        Rows.instant(row, "expires_at"),
        Rows.instant(row, "revoked_at"),
        Rows.instant(row, "created_at"));
  }

  /** Revokes a token, also one that is revoked already. */
  void revoke(SignedIn owner, String name) {
    credentialLimiter.ofAccount(
        owner.accountId(),
        () -> {
          var token =
              PersonalAccessToken.locked(owner.accountId(), name)
                  .orElseThrow(() -> Problem.notFound("You have no token `" + name + "`."));
          sessions.holdLive(owner);
          if (token.revokedAt == null) {
            token.revokedAt = Instant.now();
            serviceTokens.endSetupTokens(owner.accountId());
            record(owner, tokenScopes.of(token.id), "token.revoked", name);
          }
          return true;
        });
  }

  private void record(SignedIn owner, Scopes of, String action, String name) {
    audit.recordToken(owner, of, action, name);
    accountAudit.record(owner.accountId(), action, name, owner.address(), Map.of());
  }
}
