package dev.cairn.live;

import dev.cairn.access.RepositoryAccess;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Up to which commit of each repository that it follows a client was told. */
final class Positions {
  private static final Pattern SEQ = Pattern.compile("\\d{1,18}");

  private final long[] seqs;

  private Positions(long[] seqs) {
    this.seqs = seqs;
  }

  /** After the newest commits when access was verified. */
  static Positions newest(List<RepositoryAccess> accesses) {
    return new Positions(accesses.stream().mapToLong(RepositoryAccess::seq).toArray());
  }

  /**
   * The positions in an id of the same number of repositories; empty if it is none, or if it is
   * after these positions.
   */
  Optional<Positions> before(String id) {
    var parts = id.split(",", -1);
    if (parts.length != seqs.length
        || !Arrays.stream(parts).allMatch(part -> SEQ.matcher(part).matches())) {
      return Optional.empty();
    }
    var earlier = Arrays.stream(parts).mapToLong(Long::parseLong).toArray();
    for (int i = 0; i < earlier.length; i++) {
      if (earlier[i] > seqs[i]) {
        return Optional.empty();
      }
    }
    return Optional.of(new Positions(earlier));
  }

  /** All of them, as a client sends them back to continue. */
  String id() {
    return Arrays.stream(seqs).mapToObj(Long::toString).collect(Collectors.joining(","));
  }

  /** That of one repository. */
  long of(int repository) {
    return seqs[repository];
  }

  /** The client was told of one more commit, or told to read anew. */
  void advance(int repository, long seq) {
    seqs[repository] = seq;
  }
}
