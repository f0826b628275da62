package dev.cairn.client;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** One change of a commit; the rules are in {@code docs/commits.md}, Operations. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "operation")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Add.class, name = "add"),
  @JsonSubTypes.Type(value = Revise.class, name = "revise"),
  @JsonSubTypes.Type(value = Retract.class, name = "retract"),
  @JsonSubTypes.Type(value = Rename.class, name = "rename")
})
public sealed interface Operation permits Add, Revise, Retract, Rename {
  /**
   * {@code shape}, {@code thing}, {@code assertion} or {@code collection}; null if it follows from
   * the other members.
   */
  @Nullable
  String kind();

  /** {@code Shape/name}, or {@code $n} for the result of an operation; null for a collection. */
  @Nullable
  String name();

  /** The version that must be current, otherwise it is a {@code CONFLICT}; null if any may be. */
  @Nullable
  Integer expectedVersion();

  /** The client's own id of the operation; null if it has none. */
  @Nullable
  String opId();
}
