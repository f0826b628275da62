package dev.cairn.client;

import java.util.List;

/**
 * An event of a stream, {@code docs/live.md}, Event stream. It says what a commit changed, not the
 * new content. The end of a connection is no event: the client connects again and continues.
 */
public sealed interface LiveEvent {
  /** The position after this event, to continue from in another process. */
  String id();

  /** The repository, {@code repo:org/name}. */
  String topic();

  /** The repository's newest commit that this tells of. */
  long repoSeq();

  /** The connection stands; the first event of each connection. */
  record Ready(String id, String topic, long repoSeq) implements LiveEvent {}

  /** Commits were left out: everything has to be read anew. */
  record Reset(String id, String topic, long repoSeq) implements LiveEvent {}

  /**
   * A commit.
   *
   * @param commitId the commit
   * @param shapes the shapes of what it changed
   * @param wrefs what it changed, by current names and for renames by former ones too; up to 200
   * @param truncated true if {@code wrefs} is not complete; null otherwise
   */
  record Invalidate(
      String id,
      String topic,
      long repoSeq,
      String commitId,
      List<String> shapes,
      List<String> wrefs,
      @Nullable Boolean truncated)
      implements LiveEvent {}
}
