package dev.cairn.access.token;

import dev.cairn.access.Authorizer;
import dev.cairn.access.Caller.SignedIn;
import dev.cairn.access.Permission;
import dev.cairn.access.Scope;
import dev.cairn.access.ScopeEntry;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Excerpt;
import dev.cairn.model.Problem;
import dev.cairn.model.glob.Glob;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Turns the scope entries of a request into scopes: names become ids, and permissions that the
 * account does not have are refused. The rules are in {@code docs/access.md}, Scopes.
 */
final class ScopeReader {
  private static final int MAX_ENTRIES = 100;
  private static final int MAX_PATTERNS = 100;
  private static final int MAX_PATTERNS_OF_TOKEN = 500;
  private static final int MAX_CHARACTERS_OF_TOKEN = 16_384;

  private final Authorizer authorizer;
  private final SignedIn owner;
  private final boolean structured;
  private final List<Scope> scopes = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private final Set<List<Object>> pairs = new HashSet<>();
  private final Set<List<UUID>> resources = new HashSet<>();
  private int patterns;
  private int characters;

  ScopeReader(Authorizer authorizer, SignedIn owner, boolean structured) {
    this.authorizer = authorizer;
    this.owner = owner;
    this.structured = structured;
  }

  /** The scopes that were read. */
  List<Scope> scopes() {
    return scopes;
  }

  /** How the scopes differ from what was requested. */
  List<String> warnings() {
    return warnings;
  }

  /**
   * Reads all entries.
   *
   * @param entries null for a token without scopes
   */
  ScopeReader read(List<ScopeEntry> entries) {
    if (entries == null) {
      return this;
    }
    if (entries.isEmpty() || entries.size() > MAX_ENTRIES) {
      throw Problem.invalid("/scopes", "`scopes` must have 1 to " + MAX_ENTRIES + " entries.")
          .hint("Leave `scopes` out for a token that is not restricted.");
    }
    for (int i = 0; i < entries.size(); i++) {
      read(entries.get(i), "/scopes/" + i);
    }
    return this;
  }

  private void read(ScopeEntry entry, String pointer) {
    if (entry == null) {
      throw Problem.invalid(pointer, "A scope entry must be an object.");
    }
    var permissions = permissions(entry.permissions(), pointer + "/permissions");
    var allowed = patterns(entry.allowedMatches(), pointer + "/allowedMatches");
    var target = target(entry.resource(), pointer + "/resource");
    refuseBeyondRole(target, permissions, pointer + "/permissions");
    refuseRepeated(target, permissions, pointer);
    if (allowed.isPresent() && target.repoId() == null) {
      warnings.add(
          pointer
              + ": `allowedMatches` only narrows entries for one repository; it was left out, and"
              + " this entry is now unrestricted in what it names.");
      allowed = Optional.empty();
    }
    if (target.repoId() != null && permissions.stream().anyMatch(p -> !p.isOfRepositories())) {
      warnings.add(
          pointer + ": permissions of organizations have no effect on an entry for a repository.");
    }
    scopes.add(new Scope(entry.resource(), target.orgId(), target.repoId(), permissions, allowed));
  }

  private static Set<Permission> permissions(List<String> names, String pointer) {
    if (names == null || names.isEmpty()) {
      throw Problem.invalid(pointer, "`permissions` must have at least one permission.");
    }
    var permissions = new LinkedHashSet<Permission>();
    for (int i = 0; i < names.size(); i++) {
      var name = Objects.requireNonNullElse(names.get(i), "null");
      var at = pointer + "/" + i;
      var permission =
          Permission.of(name)
              .orElseThrow(
                  () ->
                      Problem.invalid(at, "`%s` is not a permission.".formatted(Excerpt.of(name)))
                          .hint("Known: " + String.join(", ", Permission.scopes()) + "."));
      if (!permissions.add(permission)) {
        throw Problem.invalid(at, "`%s` is in this entry twice.".formatted(name));
      }
    }
    return permissions;
  }

  private Optional<List<Glob>> patterns(List<String> texts, String pointer) {
    if (texts == null) {
      return Optional.empty();
    }
    if (texts.size() > MAX_PATTERNS) {
      throw Problem.invalid(
          pointer, "`allowedMatches` may have at most " + MAX_PATTERNS + " patterns.");
    }
    var globs = new ArrayList<Glob>();
    for (int i = 0; i < texts.size(); i++) {
      var at = pointer + "/" + i;
      count(texts.get(i), at);
      globs.add(glob(texts.get(i), at));
    }
    Glob.requireCheap(globs, pointer);
    return Optional.of(globs);
  }

  /** Before it is compiled: all of them are held in memory while the token is in use. */
  private void count(String pattern, String pointer) {
    patterns++;
    characters += pattern == null ? 0 : pattern.codePointCount(0, pattern.length());
    if (patterns > MAX_PATTERNS_OF_TOKEN || characters > MAX_CHARACTERS_OF_TOKEN) {
      throw Problem.invalid(
          pointer,
          "A token may have at most %d patterns, with %d characters together."
              .formatted(MAX_PATTERNS_OF_TOKEN, MAX_CHARACTERS_OF_TOKEN));
    }
  }

  private static Glob glob(String text, String pointer) {
    try {
      return Glob.parse(text);
    } catch (Problem e) {
      throw e.at(pointer);
    }
  }

  private Authorizer.Standing target(String resource, String pointer) {
    if (resource == null) {
      return Authorizer.Standing.EVERYWHERE;
    }
    try {
      return authorizer.standing(owner, resource);
    } catch (Problem e) {
      throw e.at(pointer);
    }
  }

  private static void refuseBeyondRole(
      Authorizer.Standing target, Set<Permission> permissions, String pointer) {
    for (var permission : permissions) {
      if (!target.grants(permission)) {
        throw Problem.of(
                ErrorCode.FORBIDDEN,
                "Your role there does not have `%s`.".formatted(permission.scope()))
            .at(pointer);
      }
    }
  }

  private void refuseRepeated(
      Authorizer.Standing target, Set<Permission> permissions, String pointer) {
    var resource = Arrays.asList(target.orgId(), target.repoId());
    if (!resources.add(resource) && !structured) {
      throw Problem.invalid(pointer + "/resource", "Another entry is about the same resource.")
          .hint("Several entries for one resource need `structured: true`.");
    }
    for (var permission : permissions) {
      if (!pairs.add(Arrays.asList(target.orgId(), target.repoId(), permission))) {
        throw Problem.invalid(
            pointer + "/permissions",
            "Another entry gives `%s` on the same resource.".formatted(permission.scope()));
      }
    }
  }
}
