package dev.cairn.subscription;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.access.Permission;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Excerpt;
import dev.cairn.model.IJson;
import dev.cairn.model.Problem;
import dev.cairn.model.glob.Glob;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The rules of {@code tokenScopes}; see {@code docs/subscriptions.md}, Tokens. */
final class TokenScopeRules {
  private static final Set<String> KNOWN = Set.of("permissions", "allowedMatches");
  private static final int MAX_PATTERNS = 100;
  private static final int MAX_CHARACTERS = 16_384;

  private final Predicate<Permission> principal;
  private final Set<Permission> given = EnumSet.noneOf(Permission.class);
  private int patterns;
  private int characters;

  private TokenScopeRules(Predicate<Permission> principal) {
    this.principal = principal;
  }

  /**
   * Checks what the tokens of a subscription will allow.
   *
   * @param principal whether the principal has a permission for every wref
   * @param scopes the request's {@code tokenScopes}
   * @return the permissions that they have
   * @throws Problem {@code VALIDATION_ERROR}; {@code FORBIDDEN} for a permission that the principal
   *     does not have
   */
  static Set<Permission> check(Predicate<Permission> principal, JsonNode scopes, String pointer) {
    if (!scopes.isArray() || scopes.isEmpty()) {
      throw Problem.invalid(pointer, "`tokenScopes` must be an array of at least one entry.")
          .hint("Leave it out if the command needs no token.");
    }
    var rules = new TokenScopeRules(principal);
    for (int i = 0; i < scopes.size(); i++) {
      rules.entry(scopes.get(i), IJson.pointer(pointer, i));
    }
    return rules.given;
  }

  private void entry(JsonNode entry, String pointer) {
    if (!entry.isObject()) {
      throw Problem.invalid(pointer, "An entry of `tokenScopes` must be an object.");
    }
    for (Map.Entry<String, JsonNode> member : entry.properties()) {
      if (!KNOWN.contains(member.getKey())) {
        throw Problem.invalid(
                IJson.pointer(pointer, member.getKey()),
                "Unknown member `" + Excerpt.of(member.getKey()) + "`.")
            .hint("Known here: allowedMatches, permissions.");
      }
    }
    permissions(entry.path("permissions"), pointer + "/permissions");
    if (entry.has("allowedMatches")) {
      allowedMatches(entry.get("allowedMatches"), pointer + "/allowedMatches");
    }
  }

  private void permissions(JsonNode names, String pointer) {
    if (!names.isArray() || names.isEmpty()) {
      throw Problem.invalid(pointer, "`permissions` must be an array of at least one permission.");
    }
    for (int i = 0; i < names.size(); i++) {
      permission(names.get(i), IJson.pointer(pointer, i));
    }
  }

  private void permission(JsonNode name, String pointer) {
    if (!name.isTextual()) {
      throw Problem.invalid(pointer, "A permission must be a string.");
    }
    var permission =
        Permission.of(name.textValue())
            .filter(Permission::isOfRepositories)
            .orElseThrow(
                () ->
                    Problem.invalid(
                            pointer,
                            "`%s` is not a permission of repositories."
                                .formatted(Excerpt.of(name.textValue())))
                        .hint("Known: " + known() + "."));
    if (!given.add(permission)) {
      throw Problem.invalid(
          pointer, "`%s` may be in `tokenScopes` only once.".formatted(permission.scope()));
    }
    if (!principal.test(permission)) {
      throw Problem.of(
              ErrorCode.FORBIDDEN,
              "You do not have `%s` here, or not for every wref.".formatted(permission.scope()))
          .at(pointer);
    }
  }

  private static String known() {
    return EnumSet.allOf(Permission.class).stream()
        .filter(Permission::isOfRepositories)
        .map(Permission::scope)
        .collect(Collectors.joining(", "));
  }

  private void allowedMatches(JsonNode texts, String pointer) {
    if (!texts.isArray()) {
      throw Problem.invalid(pointer, "`allowedMatches` must be an array of patterns.")
          .hint("Leave it out for no restriction.");
    }
    var globs = new ArrayList<Glob>();
    for (int i = 0; i < texts.size(); i++) {
      globs.add(pattern(texts.get(i), IJson.pointer(pointer, i)));
    }
    Glob.requireCheap(globs, pointer);
  }

  private Glob pattern(JsonNode text, String pointer) {
    if (!text.isTextual()) {
      throw Problem.invalid(pointer, "A pattern must be a string.");
    }
    patterns++;
    characters += text.textValue().length();
    if (patterns > MAX_PATTERNS || characters > MAX_CHARACTERS) {
      throw Problem.invalid(
          pointer,
          "`tokenScopes` may have at most %d patterns, with %,d characters together."
              .formatted(MAX_PATTERNS, MAX_CHARACTERS));
    }
    try {
      return Glob.parse(text.textValue());
    } catch (Problem e) {
      throw e.at(pointer);
    }
  }
}
