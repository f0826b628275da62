package dev.cairn.commit;

import dev.cairn.model.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.UUID;

/**
 * The hash that chains commits: SHA-256 over the fields of a commit and of its operations, each as
 * UTF-8 and ended by U+0000, which no field can hold. The order of the fields is in {@code
 * docs/commits.md}, The hash chain.
 */
final class CommitHash {
  private static final int ID_BYTES = 8;

  private final MessageDigest digest;

  CommitHash(
      byte[] parent, UUID repoId, long seq, String author, String message, Instant createdAt) {
    digest = Sha256.digest();
    field(HexFormat.of().formatHex(parent));
    field(repoId.toString());
    field(Long.toString(seq));
    field(author);
    field(message == null ? "" : message);
    field(Long.toString(createdAt.toEpochMilli()));
  }

  /**
   * Adds a version that the commit makes; all operations come by index, then by entity id.
   *
   * @param wref {@code Shape/name} as it is at the end of the commit
   * @param about see {@link #about}; empty for no assertion
   */
  void version(
      String operation,
      String kind,
      String wref,
      int version,
      boolean active,
      String about,
      byte[] dataHash) {
    field(operation);
    field(kind);
    field(wref);
    field(Integer.toString(version));
    field(Boolean.toString(active));
    field(about);
    field(HexFormat.of().formatHex(dataHash));
  }

  /** Adds a rename. */
  void rename(String kind, String newWref) {
    field("rename");
    field(kind);
    field(newWref);
  }

  /** The target of an assertion as the hash sees it: by identity, since names may change. */
  static String about(UUID repoId, long id, int version) {
    return repoId + "/" + id + "@v" + version;
  }

  /** The full hash; call it once, at the end. */
  byte[] value() {
    return digest.digest();
  }

  /** The commit id that goes with a full hash: its first 8 bytes. */
  static String commitId(byte[] hash) {
    return HexFormat.of().formatHex(hash, 0, ID_BYTES);
  }

  private void field(String text) {
    digest.update(text.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
  }
}
