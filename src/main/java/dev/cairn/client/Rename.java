package dev.cairn.client;

/**
 * Changes the name in place; creates no version and keeps every reference.
 *
 * @param kind the kind; null if it follows from the name
 * @param name {@code Shape/name}, or {@code $n} for the result of an earlier operation
 * @param newName the new name, local or as {@code Shape/name} of the same shape
 * @param expectedVersion the version that must be current; null if any may be
 * @param opId the client's own id of the operation; null if it has none
 */
public record Rename(
    @Nullable @Values({"shape", "thing", "assertion", "collection"}) String kind,
    String name,
    String newName,
    @Nullable Integer expectedVersion,
    @Nullable String opId)
    implements Operation {
  /** Renames an entity. */
  public static Rename of(String name, String newName) {
    return new Rename(null, name, newName, null, null);
  }

  /** The same, which is a {@code CONFLICT} unless this version is the current one. */
  public Rename expecting(int version) {
    return new Rename(kind, name, newName, version, opId);
  }

  /** The same with an id of the client. */
  public Rename withOpId(String id) {
    return new Rename(kind, name, newName, expectedVersion, id);
  }
}
