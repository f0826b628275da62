package dev.cairn.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * Creates version 1. An existing name is {@code ALREADY_EXISTS}.
 *
 * @param kind the kind; null if it follows from the other members
 * @param name {@code Shape/name}; null only for a collection
 * @param data the payload; for a shape, its definition; null for a collection
 * @param about the target of an assertion, otherwise null
 * @param active null or true: an entity is always added as active
 * @param expectedVersion null or 0: the entity must not exist
 * @param skipExisting whether an existing name is a noop; null means false
 * @param type the type of a collection; null means a set
 * @param members the members of a collection, wrefs or {@code $n}; null for anything else
 * @param opId the client's own id of the operation; null if it has none
 */
public record Add(
    @Nullable @Values({"shape", "thing", "assertion", "collection"}) String kind,
    @Nullable String name,
    @Nullable JsonNode data,
    @Nullable About about,
    @Nullable Boolean active,
    @Nullable Integer expectedVersion,
    @Nullable Boolean skipExisting,
    @Nullable @Values({"pair", "triple", "set", "list"}) String type,
    @Nullable List<String> members,
    @Nullable String opId)
    implements Operation {
  /** An entity with its payload; a name without a slash is that of a shape. */
  public static Add of(String name, JsonNode data) {
    return new Add(null, name, data, null, null, null, null, null, null, null);
  }

  /** An assertion. */
  public static Add of(String name, JsonNode data, About about) {
    return new Add(null, name, data, about, null, null, null, null, null, null);
  }

  /**
   * A collection, whose name the service chooses.
   *
   * @param type {@code pair}, {@code triple}, {@code set} or {@code list}
   */
  public static Add collection(String type, List<String> members) {
    return new Add(null, null, null, null, null, null, null, type, members, null);
  }

  /** The same, which is a noop if the name exists. */
  public Add orSkip() {
    return new Add(kind, name, data, about, active, expectedVersion, true, type, members, opId);
  }

  /** The same with an id of the client. */
  public Add withOpId(String id) {
    return new Add(
        kind, name, data, about, active, expectedVersion, skipExisting, type, members, id);
  }
}
