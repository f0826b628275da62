package dev.cairn.action;

import dev.cairn.content.DeletedRepositories;
import dev.cairn.work.Chore;
import jakarta.inject.Singleton;

/** Deletes the runs that deleted repositories have left. */
@Singleton
class DeletedRuns implements Chore {
  private final DeletedRepositories repositories;

  DeletedRuns(DeletedRepositories repositories) {
    this.repositories = repositories;
  }

  @Override
  public String name() {
    return DeletedRepositories.CHORE;
  }

  @Override
  public boolean runBatch() {
    return repositories.deleteBatch();
  }
}
