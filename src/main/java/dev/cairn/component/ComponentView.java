package dev.cairn.component;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;
import java.util.List;

/**
 * A component as answers show it, at one of its versions.
 *
 * @param version the version that the manifest is of
 * @param versions the newest first
 * @param manifest canonical JSON
 * @param manifestHash the SHA-256 hash of that, in lower-case hexadecimal digits
 * @param hasSetup whether a setup call is made for it
 * @param setupUrl null if there is none, or for callers that may not configure the organization
 * @param credentialSetName null like {@code setupUrl}
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ComponentView(
    String org,
    String name,
    String visibility,
    String version,
    List<Version> versions,
    @JsonRawValue String manifest,
    String manifestHash,
    boolean hasSetup,
    String setupUrl,
    String credentialSetName,
    boolean mintsToken,
    Instant createdAt,
    Instant updatedAt) {

  /** One of its versions. */
  @RegisterForReflection
  public record Version(String version, String manifestHash, Instant createdAt) {}

  /**
   * A component in a list, at its newest version.
   *
   * @param title the name in its manifest
   * @param description null for none
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Item(
      String org,
      String name,
      String title,
      String description,
      String visibility,
      String version,
      String manifestHash,
      boolean hasSetup,
      boolean mintsToken,
      Instant createdAt,
      Instant updatedAt) {}
}
