package dev.cairn.access;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A permission, which roles grant and tokens carry as a scope of the same name. */
public enum Permission {
  REPO_READ("repo:read", Role.VIEWER),
  REPO_CHECKPOINT_READ("repo:checkpoint-read", Role.VIEWER),
  REPO_WRITE("repo:write", Role.EDITOR),
  REPO_ACTION_CALLBACK("repo:action-callback", Role.EDITOR),
  REPO_CONFIGURE("repo:configure", Role.ADMIN),
  REPO_ADMIN("repo:admin", Role.ADMIN),
  ORG_READ("org:read", Role.VIEWER),
  ORG_CONFIGURE("org:configure", Role.ADMIN),
  ORG_ACTION_CALLBACK("org:action-callback", Role.ADMIN),
  ORG_ADMIN("org:admin", Role.OWNER);

  private final String scope;
  private final Role least;

  Permission(String scope, Role least) {
    this.scope = scope;
    this.least = least;
  }

  /** The scope's name, such as {@code repo:read}. */
  public String scope() {
    return scope;
  }

  /** The permission with that scope name, if there is one. */
  public static Optional<Permission> of(String scope) {
    return Arrays.stream(values()).filter(p -> p.scope.equals(scope)).findFirst();
  }

  /** The permissions with these names; others are left out. */
  public static Set<Permission> named(String... scopes) {
    return Arrays.stream(scopes)
        .map(Permission::of)
        .flatMap(Optional::stream)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Permission.class)));
  }

  /**
   * Whether a scope is meant as a permission, even if it is misspelled or this version does not
   * know it: it contains {@code repo:} or {@code org:}.
   */
  static boolean isMeantBy(String scope) {
    var lower = scope.toLowerCase(Locale.ROOT);
    return lower.contains("repo:") || lower.contains("org:");
  }

  /** All names, for hints and metadata. */
  public static List<String> scopes() {
    return Arrays.stream(values()).map(Permission::scope).toList();
  }

  /** Whether it is about repositories rather than about an organization itself. */
  public boolean isOfRepositories() {
    return scope.startsWith("repo:");
  }

  /** The least role that has it. */
  Role least() {
    return least;
  }
}
