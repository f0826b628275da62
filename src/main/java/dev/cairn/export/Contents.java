package dev.cairn.export;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.model.Problem;
import dev.cairn.platform.Database;
import dev.cairn.query.At;
import dev.cairn.query.Moments;
import dev.cairn.query.Source;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import java.util.UUID;

/** Finds what an export shows; in the transaction that reads it. */
@ApplicationScoped
class Contents {
  private final Database database;
  private final Moments moments;

  /**
   * The content as commit {@code seq} left it, under the names that {@code newest} left.
   *
   * @param newest the sequence number of the newest commit
   */
  record AtSeq(long seq, long newest, Content content) {}

  Contents(Database database, Moments moments) {
    this.database = database;
    this.moments = moments;
  }

  AtSeq of(RepositoryAccess access, Optional<At> at) {
    long seq = seq(access, at);
    return new AtSeq(seq, newest(access.repoId()), at(access.repoId(), seq));
  }

  /** The sequence number that is meant; the newest where nothing is said. */
  long seq(RepositoryAccess access, Optional<At> at) {
    return at.map(a -> moments.find(access, a).seq()).orElseGet(() -> newest(access.repoId()));
  }

  /** The sequence number of the newest commit. */
  long newest(UUID repoId) {
    return database
        .first("select seq from repository_head where repo_id = ?", row -> row.getLong(1), repoId)
        .orElseThrow(() -> Problem.notFound("The repository was just deleted."));
  }

  /** The content at a sequence number that exists. */
  Content at(UUID repoId, long seq) {
    if (seq == newest(repoId)) {
      return new Content(database, repoId, Source.HEAD, Source.HEAD);
    }
    var moment = moments.find(repoId, seq);
    return new Content(database, repoId, moment.byId(), moment.byName());
  }
}
