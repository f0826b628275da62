package dev.cairn.oauth;

import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The web of the tests: documents that are there to be fetched. */
@Alternative
@Priority(1)
@ApplicationScoped
public class DocumentShelf implements DocumentSource {
  private final Map<String, Document> documents = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> fetched = new ConcurrentHashMap<>();

  /** Puts a document where it can be fetched. */
  void put(String url, String body, Duration freshFor) {
    documents.put(url, new Document(body, freshFor));
  }

  /** How often a document was asked for. */
  int fetched(String url) {
    return fetched.getOrDefault(url, new AtomicInteger()).get();
  }

  @Override
  public Optional<Document> fetch(URI url) {
    fetched.computeIfAbsent(url.toString(), _ -> new AtomicInteger()).incrementAndGet();
    return Optional.ofNullable(documents.get(url.toString()));
  }
}
