package dev.cairn.oauth;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** Fetches client id metadata documents, without letting strangers reach what they must not. */
interface DocumentSource {
  /**
   * A document as it was served with status 200.
   *
   * @param freshFor how long its server lets it be kept
   */
  record Document(String body, Duration freshFor) {}

  /** The document at an https URL; empty if it cannot be fetched. */
  Optional<Document> fetch(URI url);
}
