package dev.cairn.cli.bulk;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.cli.command.CommandFailure;
import dev.cairn.cli.command.ExitCode;
import dev.cairn.client.CairnException;
import dev.cairn.client.ErrorCode;
import dev.cairn.client.RepositoryClient;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Where the shape of rows comes from: the repository, or the rows themselves. */
final class ShapeSource {
  private final RepositoryClient repository;
  private final String shape;

  ShapeSource(RepositoryClient repository, String shape) {
    this.repository = repository;
    this.shape = shape;
  }

  /** The definition that the repository has; empty if it has none. */
  Optional<JsonNode> existing() {
    try {
      return Optional.of(repository.getShape(shape).data());
    } catch (CairnException e) {
      if (e.code().equals(ErrorCode.NOT_FOUND)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /**
   * A definition that all rows match.
   *
   * @param progress is called after each row
   * @throws IOException if the rows cannot be read
   * @throws CommandFailure if there are no rows, or they have too many fields
   */
  ObjectNode infer(Source source, AtomicLong read, Runnable progress) throws IOException {
    var inference = new ShapeInference(source.format().container() == InputFormat.Container.CSV);
    try (var input = source.open(read)) {
      for (var item = input.next(); item != null; item = input.next()) {
        if (!item.isFaulty()) {
          inference.observe(item.object());
        }
        progress.run();
      }
    }
    if (inference.rows() == 0) {
      throw new CommandFailure(
          ExitCode.INVALID, "There are no rows from which a shape can be inferred.");
    }
    try {
      return inference.definition();
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitCode.INVALID, e.getMessage());
    }
  }

  /** The operation that adds the shape. */
  Change add(ObjectNode definition) {
    ObjectNode add = Json.MAPPER.createObjectNode();
    add.put("operation", "add").put("kind", "shape").put("name", shape).put("skipExisting", true);
    add.set("data", definition);
    return Change.operation(0, 0, "Shape/" + shape, "add", Json.text(add));
  }

  /** A definition for people. */
  static String show(JsonNode definition) {
    try {
      return Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(definition);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
