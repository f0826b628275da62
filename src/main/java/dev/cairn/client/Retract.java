package dev.cairn.client;

/**
 * Creates an inactive version with the same data; the name stays taken.
 *
 * @param kind the kind; null if it follows from the name
 * @param name {@code Shape/name}, or {@code $n} for the result of an earlier operation
 * @param expectedVersion the version that must be current; null if any may be
 * @param opId the client's own id of the operation; null if it has none
 */
public record Retract(
    @Nullable @Values({"shape", "thing", "assertion", "collection"}) String kind,
    String name,
    @Nullable Integer expectedVersion,
    @Nullable String opId)
    implements Operation {
  /** Retracts an entity. */
  public static Retract of(String name) {
    return new Retract(null, name, null, null);
  }

  /** The same, which is a {@code CONFLICT} unless this version is the current one. */
  public Retract expecting(int version) {
    return new Retract(kind, name, version, opId);
  }

  /** The same with an id of the client. */
  public Retract withOpId(String id) {
    return new Retract(kind, name, expectedVersion, id);
  }
}
