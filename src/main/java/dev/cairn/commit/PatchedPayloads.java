package dev.cairn.commit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.model.Allowance;
import dev.cairn.model.EntityKind;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.IJson;
import dev.cairn.model.Problem;
import dev.cairn.model.StoredJson;
import dev.cairn.platform.memory.BodyMemory;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

/**
 * The payloads that the patches of one commit are applied to. A patch of a few bytes makes a whole
 * payload, so these are bounded as a commit's body is, and take room as it does.
 */
final class PatchedPayloads {
  /** Maximum bytes of all payloads that the patches of one commit are applied to. */
  static final int MAX_BYTES = 8 * 1024 * 1024;

  private final Allowance bytes = new Allowance(MAX_BYTES);
  private final BodyMemory.Extra room;

  PatchedPayloads(BodyMemory.Extra room) {
    this.room = room;
  }

  /**
   * The payload of an entity, after the operations that are planned so far.
   *
   * @param today the present name of a shape, for its name before this commit
   */
  JsonNode payloadOf(EntityState entity, UnaryOperator<String> today) {
    // Before a planned payload is written out, which takes time.
    requireRoom(
        bytes.take(entity.lastPlanned == null ? entity.storedLength() : entity.payloadLength),
        "/patch");
    var text = text(entity, today);
    room.addParsed(text);
    return IJson.read(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(EntityState entity, UnaryOperator<String> today) {
    if (entity.lastPlanned != null) {
      try {
        return StoredJson.plain(entity.lastPlanned.storedText());
      } catch (Problem e) {
        throw Problem.of(e.code(), e.detail()).at("/patch");
      }
    }
    if (entity.storedData == null) {
      throw new IllegalStateException("no payload was loaded for " + entity.local());
    }
    // The names of shapes in a definition are no references, which are found by their texts.
    return StoredJson.plain(
        entity.kind == EntityKind.SHAPE
            ? StoredJson.replaced(entity.storedData, today)
            : entity.storedData);
  }

  /**
   * Refuses patches of too many bytes.
   *
   * @param isThere whether they are within the limit
   */
  static void requireRoom(boolean isThere, String pointer) {
    if (!isThere) {
      throw Problem.of(
              ErrorCode.PAYLOAD_TOO_LARGE,
              "The payloads that the patches of one commit change may have at most 8 MiB together.")
          .at(pointer)
          .hint("Send fewer patches at once, or send `data`.");
    }
  }
}
