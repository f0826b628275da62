package dev.cairn.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Replaces the whole payload or some of its fields, the active state, or both; a noop if nothing
 * changes.
 *
 * @param kind the kind; null if it follows from the name
 * @param name {@code Shape/name}, or {@code $n} for the result of an earlier operation
 * @param data the whole new payload; null if it stays, or if there is a patch
 * @param patch a JSON Merge Patch (RFC 7396) of the payload, in which null removes a member; null
 *     if there is none
 * @param about may only repeat the current target; null otherwise
 * @param active the new state; null if it stays
 * @param expectedVersion the version that must be current; null if any may be
 * @param opId the client's own id of the operation; null if it has none
 */
public record Revise(
    @Nullable @Values({"shape", "thing", "assertion", "collection"}) String kind,
    String name,
    @Nullable JsonNode data,
    @Nullable JsonNode patch,
    @Nullable About about,
    @Nullable Boolean active,
    @Nullable Integer expectedVersion,
    @Nullable String opId)
    implements Operation {
  /** Replaces the whole payload. */
  public static Revise of(String name, JsonNode data) {
    return new Revise(null, name, data, null, null, null, null, null);
  }

  /** Changes some fields of the payload by a JSON Merge Patch. */
  public static Revise patch(String name, JsonNode patch) {
    return new Revise(null, name, null, patch, null, null, null, null);
  }

  /** Makes a retracted entity active again. */
  public static Revise restore(String name) {
    return new Revise(null, name, null, null, null, true, null, null);
  }

  /** The same, which is a {@code CONFLICT} unless this version is the current one. */
  public Revise expecting(int version) {
    return new Revise(kind, name, data, patch, about, active, version, opId);
  }

  /** The same with an id of the client. */
  public Revise withOpId(String id) {
    return new Revise(kind, name, data, patch, about, active, expectedVersion, id);
  }
}
