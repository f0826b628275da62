package dev.cairn.cli.bulk;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.regex.Pattern;

/** Operations of the user's own: {@code docs/commits.md}, Operations. */
final class OperationMapping implements Mapping {
  private static final Pattern EARLIER = Pattern.compile("\\$[0-9]+(@.*)?");

  /** What the operations of the input become. */
  enum Sent {
    /** One commit, in which {@code $0} stands for its first operation. */
    IN_ONE_COMMIT,
    /** A stream, in which the service refuses {@code $0} in fields that are references. */
    BY_STREAM,
    /** Several commits, in each of which {@code $0} would be another operation. */
    IN_COMMITS
  }

  private final Sent sent;

  OperationMapping(Sent sent) {
    this.sent = sent;
  }

  @Override
  public Optional<Change> map(int file, Item item) throws InputFault {
    var operation = item.object();
    if (!operation.path("operation").isTextual()) {
      throw new InputFault("The line is no operation: it has no `operation`.");
    }
    if (sent != Sent.IN_ONE_COMMIT) {
      requireNoEarlier(operation);
    }
    var text = item.text() == null ? Json.text(operation) : item.text();
    return Optional.of(
        Change.operation(
            file, item.line(), wref(operation), operation.get("operation").textValue(), text));
  }

  private void requireNoEarlier(ObjectNode operation) throws InputFault {
    for (var member : operation.properties()) {
      boolean isData = member.getKey().equals("data") || member.getKey().equals("patch");
      if (!isData || sent == Sent.IN_COMMITS) {
        requireNoEarlier(member.getValue());
      }
    }
  }

  private static void requireNoEarlier(JsonNode value) throws InputFault {
    if (value.isTextual() && EARLIER.matcher(value.textValue()).matches()) {
      throw new InputFault(
          "`%s` stands for an earlier operation only in one commit: use --atomic, or the name."
              .formatted(value.textValue()));
    }
    for (var element : value) {
      requireNoEarlier(element);
    }
  }

  private static String wref(ObjectNode operation) {
    var name = operation.path("name").asText("");
    if (name.isEmpty()) {
      return null;
    }
    return name.contains("/") ? NameRule.normalize(name) : "Shape/" + name;
  }
}
