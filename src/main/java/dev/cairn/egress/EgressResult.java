package dev.cairn.egress;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What came of a call. */
public sealed interface EgressResult {
  /**
   * The server answered, with whatever status. An answer whose body was too long, or had not ended
   * when the time did, is one too.
   *
   * @param headers by name, whatever its case
   * @param body the part that was kept
   * @param isTruncated whether the body has, or may have, more than that
   */
  record Answer(int status, Map<String, List<String>> headers, byte[] body, boolean isTruncated)
      implements EgressResult {
    /** The first value of a header. */
    public Optional<String> header(String name) {
      return Optional.ofNullable(headers.get(name)).map(List::getFirst);
    }

    /**
     * The wait that the header {@code Retry-After} requires; empty if there is none, or it cannot
     * be parsed or is not in the future.
     */
    public Optional<Duration> retryAfter(Instant now) {
      return header("Retry-After").flatMap(text -> RetryAfter.parse(text, now));
    }

    /** Only what may be logged. */
    @Override
    public String toString() {
      return "Answer[" + status + "]";
    }
  }

  /**
   * The policy does not let this URL be called, so nothing was sent, and nothing will be while the
   * name resolves as it does.
   *
   * @param sentence why, for the URL's owner
   */
  record Forbidden(String sentence) implements EgressResult {}

  /** No answer. The server may have received the request nevertheless. */
  record Unreachable(NetworkFault fault) implements EgressResult {}
}
