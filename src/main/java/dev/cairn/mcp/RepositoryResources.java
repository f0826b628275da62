package dev.cairn.mcp;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.live.ChangeStreams;
import dev.cairn.live.Selection;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.glob.Glob;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.query.EntityFilter;
import dev.cairn.query.EntityReads;
import dev.cairn.query.ShownFields;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Raw content and shapes of repositories, as resources; {@code docs/mcp.md}, Resources. */
@ApplicationScoped
class RepositoryResources implements ResourceSource {
  private static final String SHAPES = "shapes";
  private static final String JSON = "application/json";
  private static final Pattern URI = Pattern.compile("cairn://([^/?#]+)/([^/?#]+)/([^/?#]+)");

  /**
   * The shapes in one resource: the maximum of a page; the answer has a cursor if there are more.
   */
  private static final int MAX_SHAPES = 500;

  private final ReadAccess readAccess;
  private final RepositoryDocuments documents;
  private final EntityReads entities;

  RepositoryResources(ReadAccess readAccess, RepositoryDocuments documents, EntityReads entities) {
    this.readAccess = readAccess;
    this.documents = documents;
    this.entities = entities;
  }

  /** The repository that a URI names, if it is the URI of one of these resources. */
  static Optional<String> repository(String uri) {
    return Optional.of(URI.matcher(uri))
        .filter(Matcher::matches)
        .map(found -> found.group(1) + "/" + found.group(2));
  }

  @Override
  public List<Resource> resources(Optional<String> repository) {
    return repository.map(RepositoryResources::of).orElse(List.of());
  }

  @Override
  public List<Resource> templates() {
    return of("{org}/{repo}");
  }

  private static List<Resource> of(String repository) {
    var uri = "cairn://" + repository + "/";
    var texts =
        Arrays.stream(RepositoryDocuments.Document.values())
            .map(
                document ->
                    new Resource(
                        uri + document.fileName(),
                        document.fileName(),
                        document.title(),
                        document.title() + " of a repository",
                        document.mimeType()));
    return Stream.concat(
            texts,
            Stream.of(
                new Resource(
                    uri + SHAPES,
                    SHAPES,
                    "Shapes",
                    "The shapes of a repository with their definitions",
                    JSON)))
        .toList();
  }

  @Override
  public Optional<ObjectNode> read(String uri) {
    var found = URI.matcher(uri);
    if (!found.matches()) {
      return Optional.empty();
    }
    var name = found.group(3);
    if (name.equals(SHAPES)) {
      return Optional.of(content(uri, JSON, shapes(found.group(1), found.group(2))));
    }
    return RepositoryDocuments.Document.named(name)
        .map(
            document ->
                content(
                    uri,
                    document.mimeType(),
                    documents.text(document, found.group(1), found.group(2))));
  }

  @Override
  public Optional<ChangeStreams.Source> changes(
      String uri, BiFunction<String, String, RepositoryAccess> access) {
    var found = URI.matcher(uri);
    if (!found.matches()) {
      return Optional.empty();
    }
    var name = found.group(3);
    if (name.equals(SHAPES)) {
      var read = access.apply(found.group(1), found.group(2));
      return Optional.of(
          source(read, Optional.of(BuiltinShape.SHAPE.shapeName()), Optional.empty()));
    }
    return RepositoryDocuments.Document.named(name)
        .map(
            document -> {
              var read = access.apply(found.group(1), found.group(2)).requireUnrestricted();
              // A generated document counts all entities, so each commit changes it.
              return source(read, Optional.empty(), document.thing().map(Glob::parse));
            });
  }

  private static ChangeStreams.Source source(
      RepositoryAccess access, Optional<String> shape, Optional<Glob> match) {
    return new ChangeStreams.Source(access, List.of(Selection.of(access, shape, match)));
  }

  private static ObjectNode content(String uri, String mimeType, String text) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("uri", uri)
        .put("mimeType", mimeType)
        .put("text", text);
  }

  private String shapes(String org, String repo) {
    var access = readAccess.of(org, repo);
    var all =
        EntityFilter.ofShapes(QueryParameters.of(MissingNode.getInstance(), Set.of(), Set.of()));
    var page = entities.page(access, SHAPES, all, ShownFields.ALL, MAX_SHAPES, Optional.empty());
    return new String(page.json(), StandardCharsets.UTF_8);
  }
}
