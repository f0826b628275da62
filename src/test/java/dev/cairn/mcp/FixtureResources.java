package dev.cairn.mcp;

import static dev.cairn.mcp.Fixtures.PNG;
import static dev.cairn.mcp.Fixtures.json;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.Uncommon;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.live.ChangeStreams;
import io.quarkus.arc.properties.IfBuildProperty;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.regex.Pattern;

/** The resources that the conformance suites read. */
@ApplicationScoped
@IfBuildProperty(name = Uncommon.MCP_FIXTURES, stringValue = "true")
class FixtureResources implements ResourceSource {
  private static final Pattern OF_TEMPLATE = Pattern.compile("test://template/([^/]+)/data");

  @Override
  public List<Resource> resources(Optional<String> repository) {
    return List.of(
        resource("test://static-text", "text/plain"),
        resource("test://static-binary", "image/png"),
        resource("test://watched-resource", "text/plain"));
  }

  @Override
  public List<Resource> templates() {
    return List.of(resource("test://template/{id}/data", "application/json"));
  }

  private static Resource resource(String uri, String mimeType) {
    return new Resource(uri, uri, uri, FixtureTools.WHAT, mimeType);
  }

  @Override
  public Optional<ObjectNode> read(String uri) {
    return switch (uri) {
      case "test://static-text", "test://watched-resource" ->
          content(uri, "text/plain", "text", "This is a text.");
      case "test://static-binary" -> content(uri, "image/png", "blob", PNG);
      default -> {
        var found = OF_TEMPLATE.matcher(uri);
        yield found.matches()
            ? content(
                uri, "application/json", "text", json("{'id':" + found.group(1) + "}").toString())
            : Optional.empty();
      }
    };
  }

  /** None of them ever changes. */
  @Override
  public Optional<ChangeStreams.Source> changes(
      String uri, BiFunction<String, String, RepositoryAccess> access) {
    return Optional.empty();
  }

  private static Optional<ObjectNode> content(
      String uri, String mimeType, String member, String value) {
    return Optional.of(
        json("{'uri':'%s','mimeType':'%s'}".formatted(uri, mimeType)).put(member, value));
  }
}
