package dev.cairn.oauth;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.model.Problem;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The web of the tests: documents that are there to be fetched. */
@Alternative
@Priority(1)
@ApplicationScoped
public class DocumentShelf implements DocumentSource {
  private final Map<String, Document> documents = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> fetched = new ConcurrentHashMap<>();
  private final Map<String, CountDownLatch> slow = new ConcurrentHashMap<>();
  private final Map<String, Problem> failing = new ConcurrentHashMap<>();

  /** Puts a document where it can be fetched. */
  void put(String url, String body, Duration freshFor) {
    documents.put(url, new Document(body, freshFor));
  }

  /** Puts a document whose server answers only when {@link #answer} lets it. */
  void putSlow(String url, String body) {
    put(url, body, Duration.ofHours(1));
    slow.put(url, new CountDownLatch(1));
  }

  /** Lets the server of a slow document answer. */
  void answer(String url) {
    slow.get(url).countDown();
  }

  /** Lets fetches of a document fail. */
  void fail(String url, Problem problem) {
    failing.put(url, problem);
  }

  /** How often a document was asked for. */
  int fetched(String url) {
    return fetched.getOrDefault(url, new AtomicInteger()).get();
  }

  @Override
  public Optional<Document> fetch(URI url) {
    fetched.computeIfAbsent(url.toString(), _ -> new AtomicInteger()).incrementAndGet();
    if (failing.containsKey(url.toString())) {
      throw failing.get(url.toString());
    }
    if (slow.containsKey(url.toString())) {
      await(slow.get(url.toString()));
    }
    return Optional.ofNullable(documents.get(url.toString()));
  }

  private static void await(CountDownLatch answers) {
    try {
      assertTrue(answers.await(60, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
