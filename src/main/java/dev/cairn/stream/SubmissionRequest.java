package dev.cairn.stream;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.commit.CommitText;
import dev.cairn.model.Problem;
import dev.cairn.model.Sha256;
import dev.cairn.platform.http.QueryParameters;
import jakarta.ws.rs.core.UriInfo;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a request for a streaming submission says besides its body; {@code docs/streams.md}, The
 * request.
 *
 * @param access granted for {@code repo:write}
 * @param key the client's idempotency key, if it sent one
 * @param isAtomic whether all operations become one commit, or none
 */
record SubmissionRequest(
    RepositoryAccess access,
    String streamId,
    Optional<String> key,
    CommitText text,
    boolean isAtomic) {
  private static final Set<String> PARAMETERS = Set.of("message", "author", "atomic");
  private static final Pattern STREAM_ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

  /**
   * Reads a request.
   *
   * @throws Problem {@code VALIDATION_ERROR} that names what is wrong
   */
  static SubmissionRequest of(
      RepositoryAccess access, String streamId, Optional<String> key, UriInfo uri) {
    var parameters = QueryParameters.of(uri, PARAMETERS);
    if (!STREAM_ID.matcher(streamId).matches()) {
      throw Problem.invalid(
          "",
          "The id of a stream has 1 to 100 letters, digits, dots, underscores and hyphens, and begins"
              + " with a letter or digit.");
    }
    return new SubmissionRequest(
        access, streamId, key, CommitText.of(parameters), parameters.flag("atomic"));
  }

  /** The hash of what must be the same if a submission is sent again, besides its lines. */
  byte[] hash() {
    return Sha256.of(
        String.join("\0", streamId, "" + isAtomic, "" + text.message(), "" + text.author()));
  }
}
