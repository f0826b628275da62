package dev.cairn.access.token;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.access.Permission;
import dev.cairn.access.Scope;
import dev.cairn.access.ScopeEntry;
import dev.cairn.access.Scopes;
import dev.cairn.model.glob.Glob;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** The scopes of tokens that are valid in one repository only, which are stored as JSON. */
final class RepositoryScopes {
  private final ObjectMapper json;
  private final ScopesCache scopes = new ScopesCache();

  RepositoryScopes(ObjectMapper json) {
    this.json = json;
  }

  /**
   * The scopes of a token.
   *
   * @param hash the hash of the token
   * @param resource the repository's name, as {@code org/repo}
   * @param text the result of {@link #text}
   */
  Scopes of(byte[] hash, String resource, UUID orgId, UUID repoId, String text) {
    return scopes.get(
        key(hash),
        _ ->
            new Scopes(
                entries(text).stream()
                    .map(entry -> scope(entry, resource, orgId, repoId))
                    .toList()));
  }

  /** The first 16 of the 32 bytes of a hash, which are enough to distinguish tokens. */
  private static UUID key(byte[] hash) {
    var bytes = ByteBuffer.wrap(hash);
    return new UUID(bytes.getLong(), bytes.getLong());
  }

  private static Scope scope(ScopeEntry entry, String resource, UUID orgId, UUID repoId) {
    Set<Permission> permissions =
        entry.permissions().stream()
            .map(Permission::of)
            .flatMap(Optional::stream)
            .collect(Collectors.toUnmodifiableSet());
    return new Scope(
        resource,
        orgId,
        repoId,
        permissions,
        Optional.ofNullable(entry.allowedMatches())
            .map(patterns -> patterns.stream().map(Glob::ofStored).toList()));
  }

  /** The entries in a stored text. */
  List<ScopeEntry> entries(String text) {
    try {
      return List.of(json.readValue(text, ScopeEntry[].class));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The text in which entries are stored. */
  String text(List<ScopeEntry> entries) {
    try {
      return json.writeValueAsString(entries);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
