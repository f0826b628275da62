package dev.cairn.cli.bulk;

/** Sends batches to a repository. */
interface Sender {
  /**
   * Sends one, and returns when it is applied.
   *
   * @param key the idempotency key: the same batch with the same key is applied once
   * @throws SendFailure if it is not known whether all of it was applied, or it was refused
   */
  Outcome send(Batch batch, String key) throws SendFailure;

  /** How many operations a batch may have. */
  int maxOperations();

  /** How many bytes the operations of a batch may have together. */
  int maxBytes();
}
