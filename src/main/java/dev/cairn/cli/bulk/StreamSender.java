package dev.cairn.cli.bulk;

import dev.cairn.client.CairnException;
import dev.cairn.client.RepositoryClient;
import dev.cairn.client.ServerNotReachedException;
import dev.cairn.client.StreamBody;
import dev.cairn.client.StreamOptions;

/** Sends each batch as a submission of one stream. */
final class StreamSender implements Sender {
  private static final int MAX_OPERATIONS = 20_000;
  private static final int MAX_BYTES = 6 * 1024 * 1024;

  private final RepositoryClient repository;
  private final String stream;
  private final StreamOptions options;

  /**
   * Begins.
   *
   * @param stream a name that no other import uses
   */
  StreamSender(RepositoryClient repository, String stream, StreamOptions options) {
    this.repository = repository;
    this.stream = stream;
    this.options = options;
  }

  @Override
  public Outcome send(Batch batch, String key) throws SendFailure {
    var results = new StreamResults(batch);
    try (var submission =
        repository.submitStream(
            stream, options.withIdempotencyKey(key), StreamBody.of(batch.lines()))) {
      submission.lines().forEach(results::add);
    } catch (CairnException e) {
      throw SendFailure.of(e);
    } catch (ServerNotReachedException e) {
      throw SendFailure.of(e);
    }
    return results.outcome();
  }

  @Override
  public int maxOperations() {
    return MAX_OPERATIONS;
  }

  @Override
  public int maxBytes() {
    return MAX_BYTES;
  }
}
