package dev.cairn.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.access.Authorizer;
import dev.cairn.access.Caller;
import dev.cairn.access.CurrentCaller;
import dev.cairn.access.limit.AnonymousQuota;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which requests require a sign-in, before any work is done: clients start a sign-in on a
 * 401 answer, not on a failed tool. For a caller without credentials, a hidden repository and a
 * missing one look the same. See {@code docs/mcp.md}, Access.
 */
@ApplicationScoped
class AnonymousAccess {
  private final CurrentCaller caller;
  private final Authorizer authorizer;
  private final AnonymousQuota quota;
  private final Catalogue catalogue;

  AnonymousAccess(
      CurrentCaller caller, Authorizer authorizer, AnonymousQuota quota, Catalogue catalogue) {
    this.caller = caller;
    this.authorizer = authorizer;
    this.quota = quota;
    this.catalogue = catalogue;
  }

  /**
   * Whether the caller may send a message, or each message of a batch. A caller with credentials
   * may send any message: the tools authorize it.
   *
   * @param repository {@code org/repo} if the path names one
   */
  boolean allows(JsonNode message, Optional<String> repository, ToolSelection selection) {
    if (caller.get() instanceof Caller.SignedIn) {
      return true;
    }
    if (message.isArray()) {
      return message.valueStream().allMatch(each -> allowsOne(each, repository, selection));
    }
    return allowsOne(message, repository, selection);
  }

  private boolean allowsOne(
      JsonNode message, Optional<String> repository, ToolSelection selection) {
    var params = message.path("params");
    return switch (message.path("method").asText()) {
      case "tools/call" -> {
        var tool = catalogue.tool(params.path("name").asText(), selection);
        yield tool.map(Tool::isOpen).orElse(true)
            && isPublicOrAbsent(repository.or(() -> named(tool, params.path("arguments"))));
      }
      case "resources/read" ->
          isPublicOrAbsent(repository)
              && isPublicOrAbsent(RepositoryResources.repository(params.path("uri").asText()));
      default -> isPublicOrAbsent(repository);
    };
  }

  private boolean isPublicOrAbsent(Optional<String> repository) {
    return repository.map(this::isPublic).orElse(true);
  }

  private static Optional<String> named(Optional<Tool> tool, JsonNode arguments) {
    return tool.filter(Tool::inRepository)
        .map(_ -> arguments.path("org").asText() + "/" + arguments.path("repo").asText());
  }

  private boolean isPublic(String repository) {
    quota.count(caller.get());
    var name = repository.toLowerCase(Locale.ROOT);
    return authorizer.readable(caller.get(), Set.of(name)).containsKey(name);
  }
}
