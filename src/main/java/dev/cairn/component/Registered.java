package dev.cairn.component;

import java.time.Instant;
import java.util.UUID;

/**
 * A registered component at one of its versions.
 *
 * @param id of the component: one that is registered again under the same name has another id
 * @param orgId of the organization that owns it
 * @param org the name of that organization
 * @param setupUrl what the setup call calls; null for none
 * @param credentialSet the set of the owning organization whose secrets the setup call sends; null
 *     for none
 * @param setupUrlBy the account that set the URL last; null if it was deleted
 * @param credentialSetBy the account that named the set last; null if it was deleted
 * @param mintsToken whether installing it mints a token
 * @param isDeregistered whether it was deregistered, and only remains because it is installed
 * @param version the version that was asked for
 */
record Registered(
    UUID id,
    UUID orgId,
    String org,
    String name,
    boolean isPublic,
    String setupUrl,
    String credentialSet,
    UUID setupUrlBy,
    UUID credentialSetBy,
    boolean mintsToken,
    boolean isDeregistered,
    Instant createdAt,
    Instant updatedAt,
    Version version) {

  /**
   * A version, which never changes.
   *
   * @param number counts the versions of the component from 1
   * @param version as in semantic versioning
   * @param json the manifest as canonical JSON
   * @param hash the SHA-256 hash of {@code json}, as 64 lower-case hexadecimal digits
   */
  record Version(int number, String version, String json, String hash, Instant createdAt) {
    /** Reads the manifest. */
    Manifest manifest() {
      return Manifest.of(json);
    }
  }

  /** The name as {@code org/name}. */
  String fullName() {
    return org + "/" + name;
  }

  /** Whether it has a setup call. */
  boolean hasSetup() {
    return setupUrl != null;
  }
}
