package dev.cairn.export;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.content.At;
import dev.cairn.content.Moments;
import dev.cairn.content.RepositoryHeads;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import java.util.UUID;

/** Creates the query of an export; to be used in the transaction that reads it. */
@ApplicationScoped
class ExportQueries {
  private final Database database;
  private final RepositoryHeads heads;
  private final Moments moments;

  /**
   * The content after commit {@code seq}, with the names after commit {@code newest}.
   *
   * @param newest the sequence number of the newest commit
   */
  record AtSeq(long seq, long newest, ExportQuery query) {}

  ExportQueries(Database database, RepositoryHeads heads, Moments moments) {
    this.database = database;
    this.heads = heads;
    this.moments = moments;
  }

  AtSeq of(RepositoryAccess access, Optional<At> at) {
    long seq = seq(access, at);
    return new AtSeq(seq, heads.newest(access.repoId()), at(access.repoId(), seq));
  }

  /** The sequence number of a moment; the newest if none is given. */
  long seq(RepositoryAccess access, Optional<At> at) {
    return at.map(a -> moments.find(access, a).seq())
        .orElseGet(() -> heads.newest(access.repoId()));
  }

  /** The content at a sequence number that exists. */
  ExportQuery at(UUID repoId, long seq) {
    if (seq == heads.newest(repoId)) {
      return ExportQuery.ofHead(database, repoId);
    }
    return ExportQuery.of(database, moments.find(repoId, seq));
  }
}
