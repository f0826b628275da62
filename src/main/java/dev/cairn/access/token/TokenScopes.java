package dev.cairn.access.token;

import dev.cairn.access.Permission;
import dev.cairn.access.Scope;
import dev.cairn.access.ScopeEntry;
import dev.cairn.access.Scopes;
import dev.cairn.model.glob.Glob;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The stored scopes of personal access tokens, written with the token and never changed, and how
 * the scopes of all tokens are shown.
 */
@ApplicationScoped
public class TokenScopes {
  /**
   * The name that a resource has today if the account may see it, otherwise the one that it was
   * given with. Another resource may have that name today. No name has parentheses.
   */
  private static final String SHOWN_NAME =
      """
      case
        when m.account_id is not null or r.visibility = 'public'
          or (s.repo_id is null and exists (
            select from repository p where p.org_id = o.id and p.visibility = 'public'))
          then o.name || case when s.repo_id is null then '' else '/' || coalesce(r.name, '(deleted)') end
        else s.resource
      end\
      """;

  /** What {@link #SHOWN_NAME} needs beside the entries {@code s}. The parameter is the account. */
  private static final String JOINS =
      """
      left join organization o on o.id = s.org_id
      left join repository r on r.id = s.repo_id
      left join member m on m.org_id = s.org_id and m.account_id = ?
      """;

  private final Database database;

  TokenScopes(Database database) {
    this.database = database;
  }

  /** Adds the entries of a new token. */
  void add(UUID tokenId, List<Scope> entries) {
    for (int i = 0; i < entries.size(); i++) {
      add(tokenId, i, entries.get(i));
    }
  }

  private void add(UUID tokenId, int ordinal, Scope scope) {
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
        scope.allowedMatches().map(globs -> Columns.strings(globs, Glob::toString)).orElse(null));
  }

  /** The scopes of a token. */
  Scopes of(UUID tokenId) {
    return new Scopes(
        database.list(
            """
            select resource, org_id, repo_id, permissions, allowed_matches
            from token_scope where token_id = ? order by ordinal
            """,
            TokenScopes::read,
            tokenId));
  }

  /**
   * The entries of some tokens as they are shown to an account, with the present names of their
   * resources and without compiling their patterns; a token without any is not in the map.
   */
  Map<UUID, List<ScopeEntry>> entries(UUID accountId, UUID[] tokenIds) {
    return database
        .list(
            """
            select s.token_id, s.permissions, s.allowed_matches, %s as resource
            from token_scope s
            %s
            where s.token_id = any (?) order by s.ordinal
            """
                .formatted(SHOWN_NAME, JOINS),
            row -> Map.entry(row.getObject("token_id", UUID.class), entry(row)),
            accountId,
            tokenIds)
        .stream()
        .collect(
            Collectors.groupingBy(
                Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
  }

  /**
   * The entries of a token's scopes as they are shown to its account, with the present names of
   * their resources.
   */
  public List<ScopeEntry> entries(UUID accountId, Scopes scopes) {
    var all = scopes.entries();
    if (all.stream().noneMatch(scope -> scope.orgId() != null)) {
      return all.stream().map(scope -> scope.entry(null)).toList();
    }
    var names =
        database.list(
            """
            select %s as resource
            from unnest(?, ?, ?) with ordinality as s (org_id, repo_id, resource, ordinal)
            %s
            order by s.ordinal
            """
                .formatted(SHOWN_NAME, JOINS),
            row -> Optional.ofNullable(row.getString("resource")),
            Columns.uuids(all, Scope::orgId),
            Columns.uuids(all, Scope::repoId),
            Columns.strings(all, Scope::resource),
            accountId);
    return IntStream.range(0, all.size())
        .mapToObj(i -> all.get(i).entry(names.get(i).orElse(null)))
        .toList();
  }

  private static ScopeEntry entry(ResultSet row) throws SQLException {
    var allowed = row.getArray("allowed_matches");
    return new ScopeEntry(
        row.getString("resource"),
        permissions(row).sorted().map(Permission::scope).toList(),
        allowed == null ? null : List.of(texts(allowed)));
  }

  private static Stream<Permission> permissions(ResultSet row) throws SQLException {
    return Arrays.stream(texts(row.getArray("permissions")))
        .map(Permission::of)
        .flatMap(Optional::stream);
  }

  private static Scope read(ResultSet row) throws SQLException {
    var allowed = row.getArray("allowed_matches");
    return new Scope(
        row.getString("resource"),
        row.getObject("org_id", UUID.class),
        row.getObject("repo_id", UUID.class),
        permissions(row).collect(Collectors.toUnmodifiableSet()),
        allowed == null
            ? Optional.empty()
            : Optional.of(Arrays.stream(texts(allowed)).map(Glob::ofStored).toList()));
  }

  private static String[] texts(Array array) throws SQLException {
    return (String[]) array.getArray();
  }
}
