package dev.cairn.client;

/**
 * A built export.
 *
 * @param url the URL of the download, which requires no token
 * @param expiresAt when the url ends, in milliseconds since 1970-01-01 UTC; asking again gives a
 *     new one
 * @param atRepoSeq the sequence number of the exported state
 * @param recordCount how many lines it has
 * @param contentSha256 the SHA-256 of all its bytes
 */
public record Export(
    String url, long expiresAt, long atRepoSeq, long recordCount, String contentSha256) {

  /** Everything but the URL, which needs no token. */
  @Override
  public String toString() {
    return "Export[atRepoSeq=" + atRepoSeq + ", recordCount=" + recordCount + "]";
  }
}
