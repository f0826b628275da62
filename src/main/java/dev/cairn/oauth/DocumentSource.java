package dev.cairn.oauth;

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

  /** The document at an https URL; empty if it cannot be fetched. */
  Optional<Document> fetch(URI url);
}
