package dev.cairn.commit;

import dev.cairn.commit.References.Pin;
import java.util.Map;

/**
 * The references of an entity's last version, which keep their targets if a revise repeats them.
 * See {@code docs/commits.md}, References.
 *
 * @param byText by their texts, as a reader sees them now
 * @param byFormerText by texts that a reader saw before a target was renamed; they count if nothing
 *     else has that name now
 */
record KeptReferences(Map<String, Pin> byText, Map<String, Pin> byFormerText) {
  /** Those of an entity that has no last version. */
  static final KeptReferences NONE = new KeptReferences(Map.of(), Map.of());
}
