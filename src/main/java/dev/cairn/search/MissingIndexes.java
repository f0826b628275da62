package dev.cairn.search;

import dev.cairn.work.Chore;
import jakarta.inject.Singleton;
import java.util.Optional;

/**
 * Adds the search indexes that repositories lack, and has those brought up to date that have
 * vectors of another embedder: {@code docs/search.md}, After a restore and Vectors.
 */
@Singleton
class MissingIndexes implements Chore {
  private static final int MAX_BATCH = 500;

  private final IndexStates states;

  MissingIndexes(IndexStates states) {
    this.states = states;
  }

  @Override
  public String name() {
    return "search";
  }

  @Override
  public boolean runBatch() {
    boolean hasMoreMissing = states.addMissing(Optional.empty(), MAX_BATCH);
    return states.addOutdated(MAX_BATCH) || hasMoreMissing;
  }
}
