package dev.cairn.client;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** The result of one operation of a commit. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "status")
@JsonSubTypes({
  @JsonSubTypes.Type(value = OperationResult.Applied.class, name = "applied"),
  @JsonSubTypes.Type(value = OperationResult.Noop.class, name = "noop"),
  @JsonSubTypes.Type(value = OperationResult.Failed.class, name = "error")
})
public sealed interface OperationResult {
  /** The operation's index in the request. */
  int opIndex();

  /**
   * Its effect, {@code revise} for a retract; if it failed, what was requested; null if unknown.
   */
  @Nullable
  String operation();

  /** Fields that the shape does not declare, or how many entities referred to it; null if none. */
  @Nullable
  List<String> warnings();

  /**
   * It was applied.
   *
   * @param opIndex its index in the request
   * @param operation its effect, {@code revise} for a retract
   * @param wref the entity after the operation
   * @param name the name without the shape
   * @param kind the kind of the entity
   * @param version the version, counted from 1
   * @param dataHash the SHA-256 of the data's canonical JSON; null for a rename
   * @param warnings what to look at; null if nothing
   */
  record Applied(
      int opIndex,
      @Nullable @Values({"add", "revise", "retract", "rename", "noop"}) String operation,
      @Nullable String wref,
      @Nullable String name,
      @Nullable @Values({"shape", "thing", "assertion"}) String kind,
      @Nullable Integer version,
      @Nullable String dataHash,
      @Nullable List<String> warnings)
      implements OperationResult {}

  /**
   * It changed nothing.
   *
   * @param opIndex its index in the request
   * @param operation {@code noop}
   * @param wref the entity
   * @param name the name without the shape
   * @param kind the kind of the entity
   * @param version the version, counted from 1
   * @param dataHash the SHA-256 of the data's canonical JSON
   * @param warnings what to look at; null if nothing
   */
  record Noop(
      int opIndex,
      @Nullable @Values({"add", "revise", "retract", "rename", "noop"}) String operation,
      @Nullable String wref,
      @Nullable String name,
      @Nullable @Values({"shape", "thing", "assertion"}) String kind,
      @Nullable Integer version,
      @Nullable String dataHash,
      @Nullable List<String> warnings)
      implements OperationResult {}

  /**
   * It failed, and the other operations of the commit may have been applied.
   *
   * @param opIndex its index in the request
   * @param operation the requested operation; null if it is none of the four
   * @param wref the entity; null if there is none
   * @param name the name without the shape; null if there is none
   * @param kind the kind of the entity; null if there is none
   * @param warnings what to look at; null if nothing
   * @param error why it failed
   */
  record Failed(
      int opIndex,
      @Nullable @Values({"add", "revise", "retract", "rename", "noop"}) String operation,
      @Nullable String wref,
      @Nullable String name,
      @Nullable @Values({"shape", "thing", "assertion"}) String kind,
      @Nullable List<String> warnings,
      Failure error)
      implements OperationResult {}

  /**
   * Why an operation failed, with members of a {@link Problem}.
   *
   * @param code an error code, see {@code docs/errors.md}, The codes
   * @param detail what was wrong
   * @param details details, with the violations in {@code errors}; null if there are none
   * @param hint what to do about it; null if there is nothing to say
   */
  record Failure(String code, String detail, @Nullable JsonNode details, @Nullable String hint) {}
}
