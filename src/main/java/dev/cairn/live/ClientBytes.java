package dev.cairn.live;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.model.glob.Glob;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.stream.Stream;

/** Upper estimates of the bytes of memory that clients keep as long as they follow repositories. */
final class ClientBytes {
  /** What is kept of a repository besides patterns: access, token, topic. */
  static final int BYTES_OF_REPOSITORY = 1_000;

  private static final int BYTES_OF_SELECTION = 200;

  private ClientBytes() {}

  /** What accesses take, with the patterns of their tokens. */
  static long of(Collection<RepositoryAccess> accesses) {
    return accesses.size() * (long) BYTES_OF_REPOSITORY + ofPatterns(accesses.stream());
  }

  /** What the sources of a stream take, with the patterns of their tokens and selections. */
  static long ofSources(List<ChangeStreams.Source> sources) {
    long selections =
        sources.stream()
            .flatMap(source -> source.selections().stream())
            .mapToLong(ClientBytes::ofSelection)
            .sum();
    return of(sources.stream().map(ChangeStreams.Source::access).toList()) + selections;
  }

  private static long ofSelection(Selection selection) {
    return BYTES_OF_SELECTION
        + 2L * selection.shape().map(String::length).orElse(0)
        + selection.match().map(Glob::bytes).orElse(0);
  }

  /** Those of one token are the same objects for all of its repositories. */
  private static long ofPatterns(Stream<RepositoryAccess> accesses) {
    var patterns = Collections.<Glob>newSetFromMap(new IdentityHashMap<>());
    accesses.forEach(access -> patterns.addAll(access.narrowing().patterns()));
    return patterns.stream().mapToLong(Glob::bytes).sum();
  }
}
