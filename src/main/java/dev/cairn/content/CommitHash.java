package dev.cairn.content;

import dev.cairn.model.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.UUID;

/**
 * The hash that chains commits: SHA-256 over the fields of a commit and of its operations, each in
 * UTF-8 and followed by U+0000, which no field can contain. The order of the fields is in {@code
 * docs/commits.md}, The hash chain.
 */
public final class CommitHash {
  private static final int ID_BYTES = 8;

  private final MessageDigest digest;

  public CommitHash(
      byte[] parent, UUID repoId, long seq, String author, String message, Instant createdAt) {
    digest = Sha256.digest();
    field(HexFormat.of().formatHex(parent));
    field(repoId.toString());
    field(Long.toString(seq));
    field(author);
    field(message == null ? "" : message);
    field(Long.toString(createdAt.toEpochMilli()));
  }

  /** Adds a stored version, in the same order; the row has its columns and those of its entity. */
  public void version(ResultSet row) throws SQLException {
    var aboutRepo = row.getObject("about_repo_id", UUID.class);
    version(
        row.getString("operation"),
        row.getString("kind"),
        row.getString("name"),
        row.getInt("version"),
        row.getBoolean("active"),
        aboutRepo == null
            ? ""
            : about(aboutRepo, row.getLong("about_id"), row.getInt("about_version")),
        row.getBytes("data_hash"));
  }

  /**
   * Adds a version that the commit makes. Operations must be added in the order of their index,
   * then of their entity id.
   *
   * @param wref {@code Shape/name} as it is at the end of the commit
   * @param about see {@link #about}; empty for no assertion
   */
  public void version(
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
  public void rename(String kind, String newWref) {
    field("rename");
    field(kind);
    field(newWref);
  }

  /** The target of an assertion in the form that is hashed: by id, since names may change. */
  public static String about(UUID repoId, long id, int version) {
    return repoId + "/" + id + "@v" + version;
  }

  /** The full hash; to be called once, after all operations. */
  public byte[] value() {
    return digest.digest();
  }

  /** The commit id that belongs to a full hash: its first 8 bytes. */
  public static String commitId(byte[] hash) {
    return HexFormat.of().formatHex(hash, 0, ID_BYTES);
  }

  private void field(String text) {
    digest.update(text.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
  }
}
