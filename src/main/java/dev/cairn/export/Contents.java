package dev.cairn.export;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.content.At;
import dev.cairn.content.Moments;
import dev.cairn.content.RepositoryHeads;
import dev.cairn.content.Source;
import dev.cairn.platform.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import java.util.UUID;

/** Finds what an export shows; in the transaction that reads it. */
@ApplicationScoped
class Contents {
  private final Database database;
  private final RepositoryHeads heads;
  private final Moments moments;

  /**
   * The content as commit {@code seq} left it, under the names that {@code newest} left.
   *
   * @param newest the sequence number of the newest commit
   */
  record AtSeq(long seq, long newest, Content content) {}

  Contents(Database database, RepositoryHeads heads, Moments moments) {
    this.database = database;
    this.heads = heads;
    this.moments = moments;
  }

  AtSeq of(RepositoryAccess access, Optional<At> at) {
    long seq = seq(access, at);
    return new AtSeq(seq, heads.newest(access.repoId()), at(access.repoId(), seq));
  }

  /** The sequence number that is meant; the newest where nothing is said. */
  long seq(RepositoryAccess access, Optional<At> at) {
    return at.map(a -> moments.find(access, a).seq())
        .orElseGet(() -> heads.newest(access.repoId()));
  }

  /** The content at a sequence number that exists. */
  Content at(UUID repoId, long seq) {
    if (seq == heads.newest(repoId)) {
      return new Content(database, repoId, Source.HEAD, Source.HEAD);
    }
    var moment = moments.find(repoId, seq);
    return new Content(database, repoId, moment.byId(), moment.byName());
  }
}
