package dev.cairn.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.live.Change;
import dev.cairn.live.ChangeStreams;
import dev.cairn.live.Ending;
import dev.cairn.live.Selection;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.memory.StreamedBody;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * What a request subscribes to, and the messages of the stream that answers it: first which
 * subscriptions are in effect, then a notification for each change of a resource, at last the
 * result. See {@code docs/mcp.md}, Subscriptions to resources.
 */
final class ResourceSubscription implements ChangeStreams.Form {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** What is kept of a URI besides its characters. */
  private static final int BYTES_OF_URI = 200;

  private final JsonNode id;
  private final ObjectNode serverInfo;
  private final Map<UUID, OfRepository> repositories = new LinkedHashMap<>();

  /** The URIs that the stream was told to have changed since the last piece of it. */
  private final Set<String> told = new HashSet<>();

  /** The URIs of a repository, by what of it changes their content. */
  private record OfRepository(RepositoryAccess access, Map<Selection, List<String>> uris) {
    private ChangeStreams.Source source() {
      return new ChangeStreams.Source(access, List.copyOf(uris.keySet()));
    }
  }

  /**
   * A subscription to nothing yet.
   *
   * @param id of the request
   */
  ResourceSubscription(JsonNode id, ObjectNode serverInfo) {
    this.id = id;
    this.serverInfo = serverInfo;
  }

  /** The id of the request. */
  JsonNode id() {
    return id;
  }

  /** Subscribes to a resource too. */
  void add(String uri, ChangeStreams.Source changes) {
    var access = changes.access();
    var repository =
        repositories.computeIfAbsent(
            access.repoId(), _ -> new OfRepository(access, new LinkedHashMap<>()));
    for (var selection : changes.selections()) {
      repository.uris().computeIfAbsent(selection, _ -> new ArrayList<>()).add(uri);
    }
  }

  /** Writes the stream; if it is about no resource, that ends at once. */
  StreamedBody.Writer writer(ChangeStreams streams, ChangeStreams.Connection connection) {
    return out -> {
      if (repositories.isEmpty()) {
        var piece = new StringBuilder();
        begin(piece);
        complete(piece);
        out.write(piece.toString().getBytes(StandardCharsets.UTF_8));
      } else {
        var sources = repositories.values().stream().map(OfRepository::source).toList();
        streams.write(sources, this, connection, out);
      }
    };
  }

  @Override
  public long bytes() {
    return repositories.values().stream()
        .flatMap(repository -> repository.uris().values().stream())
        .flatMap(List::stream)
        .mapToLong(uri -> BYTES_OF_URI + 2L * uri.length())
        .sum();
  }

  @Override
  public Problem refusal() {
    return Problem.of(
        ErrorCode.UNAUTHENTICATED, "Access has ended since the request was authorized.");
  }

  @Override
  public void begin(StringBuilder piece) {
    var params = NODES.objectNode();
    var honored = params.putObject("notifications");
    if (!repositories.isEmpty()) {
      var uris = honored.putArray("resourceSubscriptions");
      repositories.values().stream()
          .flatMap(repository -> repository.uris().values().stream())
          .flatMap(List::stream)
          .forEach(uris::add);
    }
    send("notifications/subscriptions/acknowledged", params, piece);
  }

  @Override
  public void changed(int repository, int selection, Change change, StringBuilder piece) {
    uris(repository).get(selection).forEach(uri -> updated(uri, piece));
  }

  @Override
  public void reset(int repository, StringBuilder piece) {
    uris(repository).stream().flatMap(List::stream).forEach(uri -> updated(uri, piece));
  }

  private List<List<String>> uris(int repository) {
    return List.copyOf(List.copyOf(repositories.values()).get(repository).uris().values());
  }

  /** A client that is behind is told once of changes that follow one another. */
  private void updated(String uri, StringBuilder piece) {
    if (piece.isEmpty()) {
      told.clear();
    }
    if (told.add(uri)) {
      send("notifications/resources/updated", NODES.objectNode().put("uri", uri), piece);
    }
  }

  private void send(String method, ObjectNode params, StringBuilder piece) {
    params.putObject("_meta").set(StatelessRevision.SUBSCRIPTION_KEY, id);
    var message = NODES.objectNode().put("jsonrpc", "2.0").put("method", method);
    ResponseWriter.append(message.set("params", params), piece);
  }

  @Override
  public void alive(StringBuilder piece) {
    piece.append(":\n\n");
  }

  @Override
  public void end(Ending reason, StringBuilder piece) {
    complete(piece);
  }

  private void complete(StringBuilder piece) {
    var result = NODES.objectNode().put("resultType", "complete");
    var meta = result.putObject("_meta");
    meta.set(StatelessRevision.SUBSCRIPTION_KEY, id);
    meta.set(StatelessRevision.SERVER_KEY, serverInfo);
    var message = NODES.objectNode().put("jsonrpc", "2.0");
    message.set("id", id);
    ResponseWriter.append(message.set("result", result), piece);
  }
}
