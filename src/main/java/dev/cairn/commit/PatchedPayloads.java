package dev.cairn.commit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.model.Allowance;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.IJson;
import dev.cairn.model.Problem;
import dev.cairn.model.StoredJson;
import dev.cairn.platform.memory.BodyMemory;
import java.nio.charset.StandardCharsets;

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

  /** The payload of an entity, after the operations that are planned so far. */
  JsonNode payloadOf(EntityState entity) {
    var stored = entity.lastPlanned == null ? entity.storedData : entity.lastPlanned.storedText();
    if (stored == null) {
      throw new IllegalStateException("no payload was loaded for " + entity.local());
    }
    requireRoom(bytes.take(stored.length()));
    var text = StoredJson.plain(stored);
    room.addParsed(text);
    return IJson.read(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Refuses patches of too many bytes.
   *
   * @param isThere whether they are within the limit
   */
  static void requireRoom(boolean isThere) {
    if (!isThere) {
      throw Problem.of(
              ErrorCode.PAYLOAD_TOO_LARGE,
              "The payloads that the patches of one commit change may have at most 8 MiB together.")
          .at("/patch")
          .hint("Send fewer patches at once, or send `data`.");
    }
  }
}
