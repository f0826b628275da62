package dev.cairn.access;

/** What a role grants and a token's scope may narrow; the names are those of scopes. */
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

  /** The least role that has it. */
  Role least() {
    return least;
  }
}
