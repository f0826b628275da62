package dev.cairn.client;

import java.util.List;

/**
 * What an installation has done, or would do.
 *
 * @param installId the id of the install; null in a plan before the first one
 * @param component the component, as {@code org/name}
 * @param version the version
 * @param manifestHash the SHA-256 of the manifest's canonical JSON, in hexadecimal digits
 * @param plan what is done, in this order
 * @param commitId the commit; null if the content was as it is to be
 * @param repoSeq the repository's sequence number; the first commit makes it 1; null if absent
 * @param token the new token of the component, if one was minted; shown only here; null if absent
 * @param tokenExpiresAt when the token expires, in milliseconds since 1970-01-01 UTC; null if
 *     absent
 */
public record Installed(
    @Nullable String installId,
    String component,
    String version,
    String manifestHash,
    List<InstallItem> plan,
    @Nullable String commitId,
    @Nullable Long repoSeq,
    @Nullable String token,
    @Nullable Long tokenExpiresAt) {

  /** Everything but the token. */
  @Override
  public String toString() {
    return "Installed[installId="
        + installId
        + ", component="
        + component
        + ", version="
        + version
        + "]";
  }
}
