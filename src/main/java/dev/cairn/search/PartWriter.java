package dev.cairn.search;

import dev.cairn.content.ChangedEntities;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Writes a part of the search index. */
interface PartWriter {
  IndexPart part();

  /** Maximum entities of a slice. */
  int maxEntities();

  /**
   * The form that is written now unless the settings switch the part off; empty if the settings
   * name it.
   */
  Optional<String> presentForm();

  /** Whether this program can write a form; one that it cannot, it may still search. */
  boolean canWrite(String form);

  /**
   * Computes what is to be stored of entities. It may take long and is called without a
   * transaction.
   *
   * @param forms those that it is stored in, the present one first; each can be written
   * @return what stores it, in a transaction
   */
  Runnable prepare(IndexAttempt attempt, List<String> forms, List<ChangedEntities.Row> entities)
      throws InterruptedException;

  /**
   * Deletes what is not in the present form of a repository, but not too much at once.
   *
   * @return whether there may be more
   */
  boolean deleteFormer(UUID repoId, String form);
}
