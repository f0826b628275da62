package dev.cairn.model;

import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * One change that a commit requests. All rules that need no repository have been checked. See
 * {@code docs/commits.md}, Operations.
 */
public sealed interface Operation {
  /** The names of the operations in requests. */
  Set<String> WORDS = Set.of("add", "revise", "retract", "rename");

  /** The kind of an operation's entity; a collection is stored as a thing. */
  enum Kind {
    SHAPE,
    THING,
    ASSERTION,
    COLLECTION;

    /** The lower-case name in requests. */
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The kind with that wire name; empty if there is none or {@code wire} is null. */
    public static Optional<Kind> of(String wire) {
      return Arrays.stream(values()).filter(kind -> kind.wire().equals(wire)).findFirst();
    }
  }

  /**
   * The members of a collection as the request gives them: neither resolved nor sorted.
   *
   * @param type the collection's type, which allows this number of members
   * @param links the members, in the order of the request
   * @param pointers for each link the RFC 6901 pointer from the root of the operation
   */
  record Members(CollectionType type, List<Link> links, List<String> pointers) {}

  /** The subject of an assertion, given by {@code about}. */
  sealed interface About {
    /**
     * One entity.
     *
     * @param link the entity
     */
    record To(Link link) implements About {}

    /**
     * A collection, which is created on first use.
     *
     * @param members its type and members
     */
    record Inline(Members members) implements About {}
  }

  /**
   * Creates an entity.
   *
   * @param target its name, local and bare; null only for a collection without a name of its own
   * @param kind never null; {@link Kind#COLLECTION} if and only if there are members
   * @param data the payload, an object; null for a collection
   * @param about the subject of an assertion; null for all others
   * @param members the members of a collection; null for all others
   * @param skipExisting whether an existing name is a noop instead of an error
   * @param opId the client's own id of the operation, or null
   */
  record Add(
      Wref target,
      Kind kind,
      JsonNode data,
      About about,
      Members members,
      boolean skipExisting,
      String opId)
      implements Operation {}

  /**
   * Replaces the payload, the active state, or both.
   *
   * @param target the entity; a wref is local and bare
   * @param kind the kind in the request, or null
   * @param data the new payload, an object; null if there is none
   * @param patch a merge patch of the payload, an object; null if there is none
   * @param active the new state; null if it stays
   * @param about the subject in the request, which must be the assertion's current one; or null
   * @param expectedVersion the version that must be current, or null
   * @param opId the client's own id of the operation, or null
   */
  record Revise(
      Link target,
      Kind kind,
      JsonNode data,
      JsonNode patch,
      Boolean active,
      About about,
      Integer expectedVersion,
      String opId)
      implements Operation {}

  /**
   * Makes the entity inactive and keeps its data.
   *
   * @param target the entity; a wref is local and bare
   * @param kind the kind in the request, or null
   * @param expectedVersion the version that must be current, or null
   * @param opId the client's own id of the operation, or null
   */
  record Retract(Link target, Kind kind, Integer expectedVersion, String opId)
      implements Operation {}

  /**
   * Changes the name in place.
   *
   * @param target the entity; a wref is local and bare
   * @param kind the kind in the request, or null
   * @param newName the checked local name if the target is a wref; if it is a result, the request's
   *     own text, for {@link #localName} once the shape is known
   * @param expectedVersion the version that must be current, or null
   * @param opId the client's own id of the operation, or null
   */
  record Rename(Link target, Kind kind, String newName, Integer expectedVersion, String opId)
      implements Operation {}

  /** The client's own id of the operation, or null. */
  String opId();

  /** The operation's name in requests. */
  default String wire() {
    return switch (this) {
      case Add _ -> "add";
      case Revise _ -> "revise";
      case Retract _ -> "retract";
      case Rename _ -> "rename";
    };
  }

  /**
   * Reads one operation of a request.
   *
   * @param violations how many violations are listed besides the first one
   * @throws Problem {@link ErrorCode#VALIDATION_ERROR} with the violations, or {@link
   *     ErrorCode#SHAPE_MISMATCH} if only a collection's data is wrong; the pointers begin at the
   *     operation
   */
  static Operation parse(JsonNode operation, Allowance violations) {
    return new OperationParser(operation, violations).parse();
  }

  /** The client's own id in an operation of any form; null if there is none that is valid. */
  static String opId(JsonNode operation) {
    var id = operation.path("opId").textValue();
    return id == null || id.length() > OperationParser.MAX_OP_ID ? null : id;
  }

  /**
   * The same of an operation that is not parsed: its values are skipped, so that it takes no more
   * memory than its text, whatever is in it.
   *
   * @param operation one JSON value in UTF-8
   * @return null also if the text is malformed
   */
  static String opId(byte[] operation) {
    try (var parser = IJson.parser(new ByteArrayInputStream(operation))) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return null;
      }
      String id = null;
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean isOpId = parser.currentName().equals("opId");
        if (parser.nextToken() == JsonToken.VALUE_STRING
            && isOpId
            && parser.getTextLength() <= OperationParser.MAX_OP_ID) {
          id = parser.getText();
        }
        parser.skipChildren();
      }
      return parser.nextToken() == null ? id : null;
    } catch (IOException _) {
      return null;
    }
  }

  /**
   * Reduces a new name, local or a whole wref of the same shape, to the local name.
   *
   * @param shapeName the shape of the entity; {@code Shape} if it is itself a shape
   * @throws Problem {@link ErrorCode#VALIDATION_ERROR}
   */
  static String localName(String newName, String shapeName) {
    var prefix = shapeName + "/";
    var local = newName.startsWith(prefix) ? newName.substring(prefix.length()) : newName;
    return shapeName.equals(BuiltinShape.SHAPE.shapeName())
        ? Names.shape(local)
        : Names.thing(local);
  }
}
