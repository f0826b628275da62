package dev.cairn.client;

/**
 * A background export, with {@code exportToken} and {@code atRepoSeq}, or with its progress in
 * {@code state}.
 *
 * @param exportToken the token for requests of its progress; shown only once; null if absent
 * @param atRepoSeq the sequence number of the exported state; null if absent
 * @param state it is not built yet; null if absent
 */
public record ExportOrder(
    @Nullable String exportToken, @Nullable Long atRepoSeq, @Nullable String state) {

  /** Everything but the token. */
  @Override
  public String toString() {
    return "ExportOrder[atRepoSeq=" + atRepoSeq + ", state=" + state + "]";
  }
}
