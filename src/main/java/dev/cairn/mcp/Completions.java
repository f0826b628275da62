package dev.cairn.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.access.Authorizer;
import dev.cairn.access.Caller;
import dev.cairn.access.CurrentCaller;
import dev.cairn.model.Problem;
import dev.cairn.tenant.Organizations;
import dev.cairn.tenant.Repositories;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Completes what is typed of an organization or a repository; {@code docs/mcp.md}, Completions. */
@ApplicationScoped
class Completions {
  /** The most that the protocol allows. */
  private static final int MOST = 100;

  /** How many are looked through. */
  private static final int LOOKED_AT = 500;

  private final CurrentCaller caller;
  private final Authorizer authorizer;
  private final Organizations organizations;
  private final Repositories repositories;

  Completions(
      CurrentCaller caller,
      Authorizer authorizer,
      Organizations organizations,
      Repositories repositories) {
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
    found.stream().limit(MOST).forEach(array::add);
    completion.put("hasMore", found.size() > MOST);
    return result;
  }

  /** The values that begin with {@code typed}. */
  List<String> values(String argument, String typed, String org) {
    var all =
        switch (argument) {
          case "org" -> organizations().stream();
          case "repo" -> repositories(org).stream();
          case "repository" -> wholeNames(typed);
          default -> Stream.<String>empty();
        };
    return all.filter(name -> name.startsWith(typed)).toList();
  }

  private Stream<String> wholeNames(String typed) {
    int slash = typed.indexOf('/');
    if (slash < 0) {
      return organizations().stream().map(org -> org + "/");
    }
    var org = typed.substring(0, slash);
    return repositories(org).stream().map(repo -> org + "/" + repo);
  }

  private List<String> organizations() {
    return switch (caller.get()) {
      case Caller.Anonymous _ -> List.of();
      case Caller.SignedIn account ->
          organizations.of(account, LOOKED_AT, Optional.empty()).items().stream()
              .map(organization -> organization.name())
              .toList();
    };
  }

  private List<String> repositories(String org) {
    try {
      var access = authorizer.visibleOrganization(caller.get(), org);
      return repositories.list(access, LOOKED_AT, Optional.empty()).items().stream()
          .map(repository -> repository.name())
          .toList();
    } catch (Problem e) {
      // What may not be known of completes to nothing, as what is not there does.
      return List.of();
    }
  }
}
