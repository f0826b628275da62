package dev.cairn.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.access.Authorizer;
import dev.cairn.access.Caller;
import dev.cairn.access.CurrentCaller;
import dev.cairn.model.Problem;
import dev.cairn.tenant.Organizations;
import dev.cairn.tenant.RepositoryReads;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/** Completes the names of organizations and repositories; {@code docs/mcp.md}, Completions. */
@ApplicationScoped
class Completions {
  /** The maximum number of values that the protocol allows. */
  private static final int MAX_VALUES = 100;

  private final CurrentCaller caller;
  private final Authorizer authorizer;
  private final Organizations organizations;
  private final RepositoryReads repositories;

  Completions(
      CurrentCaller caller,
      Authorizer authorizer,
      Organizations organizations,
      RepositoryReads repositories) {
    this.caller = caller;
    this.authorizer = authorizer;
    this.organizations = organizations;
    this.repositories = repositories;
  }

  /** The result of {@code completion/complete}. */
  ObjectNode complete(JsonNode params) {
    var argument = params.path("argument");
    var known = params.path("context").path("arguments");
    var found =
        values(
            argument.path("name").asText(),
            argument.path("value").asText(),
            known.path("org").asText());
    var result = JsonNodeFactory.instance.objectNode();
    var completion = result.putObject("completion");
    var array = completion.putArray("values");
    found.stream().limit(MAX_VALUES).forEach(array::add);
    completion.put("hasMore", found.size() > MAX_VALUES);
    return result;
  }

  /** The first values that begin with {@code typed}, one more than {@link #MAX_VALUES}. */
  private List<String> values(String argument, String typed, String org) {
    return switch (argument) {
      case "org" -> organizations(typed);
      case "repo" -> repositories(org, typed);
      case "repository" -> fullNames(typed);
      default -> List.of();
    };
  }

  private List<String> fullNames(String typed) {
    int slash = typed.indexOf('/');
    if (slash < 0) {
      return organizations(typed).stream().map(org -> org + "/").toList();
    }
    var org = typed.substring(0, slash);
    return repositories(org, typed.substring(slash + 1)).stream()
        .map(repo -> org + "/" + repo)
        .toList();
  }

  private List<String> organizations(String prefix) {
    return switch (caller.get()) {
      case Caller.Anonymous _ -> List.of();
      case Caller.SignedIn account -> organizations.names(account, prefix, MAX_VALUES + 1);
    };
  }

  private List<String> repositories(String org, String prefix) {
    try {
      var access = authorizer.visibleOrganization(caller.get(), org);
      return repositories.names(access, prefix, MAX_VALUES + 1);
    } catch (Problem e) {
      // A hidden organization has no completions, as a missing one.
      return List.of();
    }
  }
}
