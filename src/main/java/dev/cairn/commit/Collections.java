package dev.cairn.commit;

import static dev.cairn.model.ErrorCode.UNRESOLVED_REFERENCE;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.commit.References.Pin;
import dev.cairn.commit.VersionRow.ResolvedReference;
import dev.cairn.model.CanonicalJson;
import dev.cairn.model.CollectionType;
import dev.cairn.model.FieldPath;
import dev.cairn.model.Operation.Members;
import dev.cairn.model.Problem;
import dev.cairn.model.Violations;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/**
 * Collections are identified by their members: the same pinned members are the same collection,
 * whatever its name. In a set, their order does not matter.
 */
final class Collections {
  private static final int NAME_BYTES = 16;

  private Collections() {}

  /**
   * A collection that an operation refers to.
   *
   * @param key the hash of its type and pinned members, which identifies it
   */
  record Draft(CollectionType type, List<Pin> members, byte[] key) {
    /** The name of a collection that is not given one. */
    String defaultName() {
      return Collections.defaultName(key);
    }
  }

  /** The name of a collection that is not given one, derived from its key. */
  static String defaultName(byte[] key) {
    return HexFormat.of().formatHex(key, 0, NAME_BYTES);
  }

  /** The payload of a collection and the edges out of it. */
  record Payload(JsonNode data, List<ResolvedReference> references) {}

  /**
   * Finds the members of a collection.
   *
   * @throws Problem with the members that cannot be resolved, as many as are listed
   */
  static Draft draft(int index, Members members, References references, UUID home) {
    var pins = new ArrayList<Pin>();
    var missing = new ArrayList<Problem>();
    for (int i = 0; i < members.links().size() && missing.size() < Violations.MAX_LISTED; i++) {
      try {
        pins.add(references.pin(index, members.links().get(i), UNRESOLVED_REFERENCE));
      } catch (Problem e) {
        missing.add(e.at(members.pointers().get(i)));
      }
    }
    if (!missing.isEmpty()) {
      throw references.together(missing);
    }
    var ordered = members.type() == CollectionType.SET ? normalized(pins) : pins;
    return new Draft(members.type(), ordered, key(members.type(), ordered, home));
  }

  static Payload payload(Draft draft) {
    var data = JsonNodeFactory.instance.objectNode();
    var references = new ArrayList<ResolvedReference>();
    if (draft.type().isOpen()) {
      var field = draft.type().fields().getFirst();
      var array = data.putArray(field);
      var at = FieldPath.ROOT.member(field);
      for (int i = 0; i < draft.members().size(); i++) {
        var pin = draft.members().get(i);
        var node = array.textNode(pin.entity().wref());
        array.add(node);
        references.add(reference(node, at.item(i), pin));
      }
    } else {
      for (int i = 0; i < draft.members().size(); i++) {
        references.add(field(data, draft.type().fields().get(i), draft.members().get(i)));
      }
    }
    return new Payload(data, references);
  }

  private static ResolvedReference field(ObjectNode data, String field, Pin pin) {
    var node = data.textNode(pin.entity().wref());
    data.set(field, node);
    return reference(node, FieldPath.ROOT.member(field), pin);
  }

  private static ResolvedReference reference(JsonNode node, FieldPath pointer, Pin pin) {
    return new ResolvedReference(node, pointer, pin.entity(), pin.version());
  }

  private static List<Pin> normalized(List<Pin> pins) {
    return pins.stream()
        .distinct()
        .sorted(Comparator.comparing((Pin pin) -> pin.entity().wref()).thenComparing(Pin::version))
        .toList();
  }

  private static byte[] key(CollectionType type, List<Pin> members, UUID home) {
    var identities = members.stream().map(pin -> identity(pin, home));
    // Members are sorted by name, but the key must not depend on names: a rename changes no
    // collection.
    var ordered = (type == CollectionType.SET ? identities.sorted() : identities).toList();
    return CanonicalJson.hash(type.wire() + " " + String.join(" ", ordered));
  }

  private static String identity(Pin pin, UUID home) {
    var entity = pin.entity();
    var id =
        entity.collectionKey == null
            ? entity.repoId(home) + ":" + entity.id
            : HexFormat.of().formatHex(entity.collectionKey);
    return id + "@" + pin.version();
  }
}
