package dev.cairn.mcp;

import static java.util.stream.Collectors.toSet;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.access.Authorizer;
import dev.cairn.access.Caller;
import dev.cairn.access.CurrentCaller;
import dev.cairn.access.LookUpLimit;
import dev.cairn.access.limit.AnonymousQuota;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Decides which requests require a sign-in, before any work is done: clients start a sign-in on a
 * 401 answer, not on a failed tool. For a caller without credentials, a hidden repository and a
 * missing one look the same. See {@code docs/mcp.md}, Access.
 */
@ApplicationScoped
class AnonymousAccess {
  private final CurrentCaller caller;
  private final Authorizer authorizer;
  private final LookUpLimit limit;
  private final AnonymousQuota quota;
  private final Catalogue catalogue;

  AnonymousAccess(
      CurrentCaller caller,
      Authorizer authorizer,
      LookUpLimit limit,
      AnonymousQuota quota,
      Catalogue catalogue) {
    this.caller = caller;
    this.authorizer = authorizer;
    this.limit = limit;
    this.quota = quota;
    this.catalogue = catalogue;
  }

  /**
   * Whether the caller may send a message, or each message of a batch, by at most one query. A
   * caller with credentials may send any message: the tools authorize it.
   *
   * @param repository {@code org/repo} if the path names one
   */
  boolean allows(JsonNode message, Optional<String> repository, ToolSelection selection) {
    if (!(caller.get() instanceof Caller.Anonymous nobody)) {
      return true;
    }
    var messages = message.isArray() ? message.valueStream().toList() : List.of(message);
    if (!messages.stream().allMatch(each -> callsNothingClosed(each, selection))) {
      return false;
    }
    var named =
        messages.stream().flatMap(each -> repositories(each, repository, selection)).toList();
    return named.isEmpty() || arePublic(nobody, named);
  }

  private boolean callsNothingClosed(JsonNode message, ToolSelection selection) {
    return !isCall(message) || tool(message, selection).map(Tool::isOpen).orElse(true);
  }

  /** The repositories that a message is about, as {@code org/repo}. */
  private Stream<String> repositories(
      JsonNode message, Optional<String> repository, ToolSelection selection) {
    if (isCall(message)) {
      return repository.or(() -> ofArguments(message, selection)).stream();
    }
    var ofUris = uris(message).flatMap(uri -> RepositoryResources.repository(uri).stream());
    return Stream.concat(repository.stream(), ofUris);
  }

  private static Stream<String> uris(JsonNode message) {
    var params = message.path("params");
    return switch (message.path("method").asText()) {
      case "resources/read" -> Stream.of(params.path("uri").asText());
      case ResourceSubscriptions.METHOD -> ResourceSubscriptions.uris(params);
      default -> Stream.empty();
    };
  }

  private static boolean isCall(JsonNode message) {
    return message.path("method").asText().equals("tools/call");
  }

  private Optional<Tool> tool(JsonNode message, ToolSelection selection) {
    return catalogue.tool(message.path("params").path("name").asText(), selection);
  }

  private Optional<String> ofArguments(JsonNode message, ToolSelection selection) {
    var arguments = message.path("params").path("arguments");
    return tool(message, selection)
        .filter(Tool::isInRepository)
        .map(_ -> arguments.path("org").asText() + "/" + arguments.path("repo").asText());
  }

  /**
   * Whether anybody may read all of some repositories.
   *
   * @param named one for each read
   */
  private boolean arePublic(Caller.Anonymous nobody, List<String> named) {
    quota.count(nobody, named.size());
    var names = named.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(toSet());
    var readable = limit.lookUp(nobody, () -> authorizer.readable(nobody, names));
    return readable.keySet().containsAll(names);
  }
}
