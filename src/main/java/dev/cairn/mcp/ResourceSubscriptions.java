package dev.cairn.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.live.ChangeStreams;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The requests of 2026-07-28 that subscribe to resources: what they may ask for, and whether the
 * caller may read it. See {@code docs/mcp.md}, Subscriptions to resources.
 */
@ApplicationScoped
class ResourceSubscriptions {
  /** The method of these requests. */
  static final String METHOD = "subscriptions/listen";

  /** How many URIs a request may name. */
  static final int MAX_URIS = 100;

  private static final String NOTIFICATIONS = "notifications";
  private static final String URIS = "resourceSubscriptions";

  /** Changes of lists, of which there are none. */
  private static final List<String> OF_LISTS =
      List.of("toolsListChanged", "promptsListChanged", "resourcesListChanged");

  private final Catalogue catalogue;
  private final ReadAccess readAccess;
  private final ToolRunner runner;
  private final McpMethods methods;

  ResourceSubscriptions(
      Catalogue catalogue, ReadAccess readAccess, ToolRunner runner, McpMethods methods) {
    this.catalogue = catalogue;
    this.readAccess = readAccess;
    this.runner = runner;
    this.methods = methods;
  }

  /** The URIs that the parameters of a request name, whether it is valid or not: the first ones. */
  static Stream<String> uris(JsonNode params) {
    return params
        .path(NOTIFICATIONS)
        .path(URIS)
        .valueStream()
        .limit(MAX_URIS)
        .map(JsonNode::asText);
  }

  /**
   * What a request subscribes to.
   *
   * @throws McpError if the request is not valid, or as {@code resources/read} if the caller may
   *     not read a resource or if there is none
   */
  ResourceSubscription of(McpRequest request) {
    var uris = valid(request.params().path(NOTIFICATIONS));
    var subscription = new ResourceSubscription(request.message().get("id"), methods.serverInfo());
    runner.read(
        request.budget(),
        () -> {
          subscribe(uris, subscription);
          return Optional.of(subscription);
        },
        _ -> 0);
    return subscription;
  }

  private static List<String> valid(JsonNode notifications) {
    if (!notifications.isObject()) {
      throw McpError.params("`params.notifications` must be an object.");
    }
    for (var name : OF_LISTS) {
      var value = notifications.path(name);
      if (!value.isMissingNode() && !value.isBoolean()) {
        throw McpError.params("`params.notifications.%s` must be a boolean.".formatted(name));
      }
    }
    var uris = notifications.path(URIS);
    if (uris.isMissingNode()) {
      return List.of();
    }
    if (!uris.isArray() || !uris.valueStream().allMatch(JsonNode::isTextual)) {
      throw McpError.params(
          "`params.notifications.%s` must be an array of strings.".formatted(URIS));
    }
    if (uris.size() > MAX_URIS) {
      throw McpError.params(
          "`params.notifications.%s` may have at most %d URIs.".formatted(URIS, MAX_URIS));
    }
    return uris.valueStream().map(JsonNode::asText).distinct().toList();
  }

  private void subscribe(List<String> uris, ResourceSubscription subscription) {
    var accesses = new HashMap<String, RepositoryAccess>();
    for (var uri : uris) {
      subscription.add(
          uri,
          catalogue
              .changes(uri, (org, repo) -> access(org, repo, accesses))
              .orElseThrow(() -> McpError.noResource(uri)));
    }
  }

  /** Authorizes the caller for each repository once. */
  private RepositoryAccess access(String org, String repo, Map<String, RepositoryAccess> accesses) {
    var name = (org + "/" + repo).toLowerCase(Locale.ROOT);
    var known = accesses.get(name);
    if (known != null) {
      return known;
    }
    if (accesses.size() == ChangeStreams.MAX_REPOSITORIES) {
      throw McpError.params(
          "A request subscribes to resources of at most %d repositories."
              .formatted(ChangeStreams.MAX_REPOSITORIES));
    }
    var access = readAccess.of(org, repo);
    accesses.put(name, access);
    return access;
  }
}
