package dev.cairn.oauth;

import dev.cairn.model.Problem;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** Fetches client id metadata documents, protected against SSRF. */
interface DocumentSource {
  /**
   * A document as it was served with status 200.
   *
   * @param freshFor how long its server allows to cache it
   */
  record Document(String body, Duration freshFor) {}

  /**
   * The document at an https URL; empty if there is none that can be fetched.
   *
   * @throws Problem {@code UNAVAILABLE} if a later attempt may find it: this service is busy, or
   *     the other server too slow
   */
  Optional<Document> fetch(URI url);
}
