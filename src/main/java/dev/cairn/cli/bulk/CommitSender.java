package dev.cairn.cli.bulk;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.cairn.client.CairnException;
import dev.cairn.client.CommitAnswer;
import dev.cairn.client.CommitOptions;
import dev.cairn.client.ErrorCode;
import dev.cairn.client.OperationResult;
import dev.cairn.client.RepositoryClient;
import dev.cairn.client.ServerNotReachedException;
import java.util.ArrayList;
import java.util.List;

/** Sends each batch as a commit that applies as many operations as possible. */
final class CommitSender implements Sender {
  /** As many as a commit may have. */
  static final int MAX_OPERATIONS = 10_000;

  /** The body of a commit may have 16 MiB, with the message and the punctuation. */
  static final int MAX_BYTES = 15 * 1024 * 1024;

  private final RepositoryClient repository;
  private final String message;
  private final String author;

  /**
   * Begins.
   *
   * @param message of every commit; null for none
   * @param author of every commit; null for the caller
   */
  CommitSender(RepositoryClient repository, String message, String author) {
    this.repository = repository;
    this.message = message;
    this.author = author;
  }

  @Override
  public Outcome send(Batch batch, String key) throws SendFailure {
    try {
      return outcome(batch, commit(batch, key, false));
    } catch (CairnException e) {
      if (!e.code().equals(ErrorCode.PAYLOAD_TOO_LARGE) || batch.size() == 1) {
        throw SendFailure.of(e);
      }
      return halves(batch, key);
    } catch (ServerNotReachedException e) {
      throw SendFailure.of(e);
    }
  }

  /** The service has limits for what a commit takes when it is parsed and planned. */
  private Outcome halves(Batch batch, String key) throws SendFailure {
    int half = batch.size() / 2;
    var first = send(batch.part(0, half), key + ".0");
    var second = secondHalf(batch.part(half, batch.size()), key + ".1");
    List<LineFault> faults = new ArrayList<>(first.faults());
    faults.addAll(second.faults());
    return new Outcome(first.tally().plus(second.tally()), faults);
  }

  private Outcome secondHalf(Batch batch, String key) throws SendFailure {
    try {
      return send(batch, key);
    } catch (SendFailure e) {
      throw e.afterPart();
    }
  }

  /** Commits a batch, as a whole or as much of it as possible. */
  CommitAnswer commit(Batch batch, String key, boolean isAtomic) {
    ObjectNode request = Json.MAPPER.createObjectNode();
    request.put("atomic", isAtomic);
    if (message != null) {
      request.put("message", message);
    }
    if (author != null) {
      request.put("author", author);
    }
    request.putRawValue("operations", new RawValue(batch.array()));
    return repository.commit(request, CommitOptions.DEFAULT.withIdempotencyKey(key).withSummary());
  }

  /** What became of a batch whose commit was answered. */
  static Outcome outcome(Batch batch, CommitAnswer answer) {
    List<LineFault> faults = new ArrayList<>();
    for (var result : answer.operations()) {
      if (result instanceof OperationResult.Failed failed) {
        faults.add(batch.fault(failed.opIndex(), failed.error().code(), failed.error().detail()));
      }
    }
    var effects = answer.effects();
    var tally =
        new Tally(
            effects.add(), effects.revise(), effects.rename(), effects.noop(), effects.error());
    return new Outcome(tally, faults);
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
