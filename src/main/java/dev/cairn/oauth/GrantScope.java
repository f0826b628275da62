package dev.cairn.oauth;

import com.nimbusds.oauth2.sdk.OAuth2Error;
import com.nimbusds.oauth2.sdk.Scope;
import dev.cairn.access.Permission;
import dev.cairn.access.session.Session;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The granted scope and resource.
 *
 * @param scope names of permissions separated by spaces; null for everything that the account may
 * @param resource the resource of the access tokens; null if the client did not name one
 */
record GrantScope(String scope, String resource) {
  private static final String MCP = "/mcp";

  /** The scope and the resource that a client requests from the service at {@code base}. */
  static GrantScope requested(Scope scope, List<URI> resources, String base) {
    return new GrantScope(checked(scope), checked(resources, base));
  }

  /** The granted scope of a session. */
  static GrantScope of(Session session) {
    return new GrantScope(session.scope(), session.resource());
  }

  /** All scopes that exist. */
  static Scope scopes() {
    return Scope.parse(Arrays.stream(Permission.values()).map(Permission::scope).toList());
  }

  /** The URL of the MCP endpoint below a base URL. */
  static String mcp(String base) {
    return base + MCP;
  }

  /**
   * Narrowed by a token request, whose scope may be smaller and whose resource must be the same.
   */
  GrantScope narrowed(GrantScope requested) {
    if (requested.scope != null
        && scope != null
        && !names(scope).containsAll(names(requested.scope))) {
      throw OAuthError.of(OAuth2Error.INVALID_SCOPE, "The scope exceeds the granted scope.");
    }
    if (requested.resource != null && resource != null && !resource.equals(requested.resource)) {
      throw OAuthError.of(OAuth2Error.INVALID_TARGET, "The grant is for another resource.");
    }
    return new GrantScope(
        requested.scope == null ? scope : requested.scope,
        requested.resource == null ? resource : requested.resource);
  }

  /** What it allows, in sentences for the consent page. */
  List<String> inWords() {
    return scope == null
        ? List.of(
            "Everything that your account may do, in all of its organizations and repositories")
        : Arrays.stream(Permission.values())
            .filter(p -> names(scope).contains(p.scope()))
            .map(GrantScope::inWords)
            .toList();
  }

  private static String inWords(Permission permission) {
    return switch (permission) {
      case REPO_READ -> "Read repositories";
      case REPO_CHECKPOINT_READ -> "Export repositories";
      case REPO_WRITE -> "Write to repositories";
      case REPO_ACTION_CALLBACK -> "Report the results of repositories' actions";
      case REPO_CONFIGURE -> "Change repositories' settings, subscriptions and credentials";
      case REPO_ADMIN -> "Delete, archive and rename repositories, and make them public or private";
      case ORG_READ -> "Read organizations and their members";
      case ORG_CONFIGURE -> "Create repositories, manage members and settings of organizations";
      case ORG_ACTION_CALLBACK -> "Report the results of organizations' actions";
      case ORG_ADMIN ->
          "Make and remove owners, read the audit logs, and rename and archive organizations";
    };
  }

  private static String checked(Scope requested) {
    if (requested == null || requested.isEmpty()) {
      return null;
    }
    var unknown = new ArrayList<>(requested.toStringList());
    unknown.removeIf(name -> scopes().contains(name));
    if (!unknown.isEmpty()) {
      throw OAuthError.of(
          OAuth2Error.INVALID_SCOPE, "The scope names a permission that does not exist.");
    }
    return Arrays.stream(Permission.values())
        .map(Permission::scope)
        .filter(requested::contains)
        .collect(Collectors.joining(" "));
  }

  private static String checked(List<URI> requested, String base) {
    if (requested == null || requested.isEmpty()) {
      return null;
    }
    var resource = withoutSlash(requested.getFirst().toString());
    if (requested.size() > 1 || !(resource.equals(base) || resource.equals(mcp(base)))) {
      throw OAuthError.of(
          OAuth2Error.INVALID_TARGET,
          "`resource` must be exactly one URL: this service or its MCP endpoint.");
    }
    return resource;
  }

  /** Removes a slash at the end: the empty path and {@code /} are equal. */
  private static String withoutSlash(String url) {
    return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
  }

  private static Set<String> names(String scope) {
    return new HashSet<>(Arrays.asList(scope.split(" ", -1)));
  }
}
