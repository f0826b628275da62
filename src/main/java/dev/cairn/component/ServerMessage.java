package dev.cairn.component;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.access.RepositoryAccess;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * What the server of a component is sent; see {@code docs/components.md}, Setup call and Methods.
 */
final class ServerMessage {
  private ServerMessage() {}

  /**
   * A message about an install.
   *
   * @param type such as {@code cairn.component.setup}
   * @param component at the version that it is about
   * @param more adds the members of {@code data} that are particular to the type
   */
  static byte[] of(
      String type,
      Instant now,
      Registered component,
      UUID installId,
      RepositoryAccess access,
      Consumer<ObjectNode> more) {
    var message = JsonNodeFactory.instance.objectNode();
    message.put("type", type).put("timestamp", now.toString());
    var data = message.putObject("data");
    data.putObject("component")
        .put("org", component.org())
        .put("name", component.name())
        .put("version", component.version().version());
    data.put("installId", installId.toString());
    data.putObject("repo").put("orgName", access.org()).put("repoName", access.repo());
    more.accept(data);
    return message.toString().getBytes(StandardCharsets.UTF_8);
  }
}
