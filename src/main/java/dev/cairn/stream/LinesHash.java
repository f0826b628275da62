package dev.cairn.stream;

import dev.cairn.commit.SubmittedLines.Line;
import dev.cairn.model.Sha256;
import java.security.MessageDigest;
import java.util.List;

/**
 * SHA-256 of the lines of a submission so far, each with its line feed. Immutable, so that a commit
 * that is not written leaves it as it was.
 */
final class LinesHash {
  private final MessageDigest digest;

  private LinesHash(MessageDigest digest) {
    this.digest = digest;
  }

  /** The hash of no lines. */
  static LinesHash ofNone() {
    return new LinesHash(Sha256.digest());
  }

  /** The hash with further lines. */
  LinesHash with(List<Line> lines) {
    var next = copy();
    for (var line : lines) {
      next.update(line.json());
      next.update((byte) '\n');
    }
    return new LinesHash(next);
  }

  /** The 32 bytes of the hash. */
  byte[] value() {
    return copy().digest();
  }

  private MessageDigest copy() {
    try {
      return (MessageDigest) digest.clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(e);
    }
  }
}
