package dev.cairn.cli.bulk;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;

/**
 * How far an import has come. It changes twice for each segment: before it is sent, and when it is
 * applied.
 *
 * @param runId tells this run from others; the idempotency keys begin with it
 * @param viaStream whether segments are sent to a stream, and not as commits
 * @param items the items of the input that were dealt with
 * @param tally what became of them
 * @param sending the segment that may have been applied already; null if there is none
 */
record ImportState(String runId, boolean viaStream, long items, Tally tally, Sending sending) {
  /** As long as the service keeps idempotency keys, but for an hour: {@code docs/commits.md}. */
  private static final Duration KEY_LIFETIME = Duration.ofHours(23);

  /**
   * A segment that was to be sent.
   *
   * @param items its items
   * @param decisions its {@linkplain Decisions decisions}
   * @param since when it was first to be sent, in milliseconds since 1970-01-01 UTC
   */
  record Sending(long items, String decisions, long since) {
    /** Whether it has an operation as it is: of rows, that is the shape. */
    boolean hasOperation() {
      return decisions.indexOf(Decision.SEND.sign()) >= 0;
    }

    /** Whether the service may have forgotten its key, and would apply it a second time. */
    boolean hasExpired(long now) {
      return now - since > KEY_LIFETIME.toMillis();
    }
  }

  static ImportState begin(String runId, boolean viaStream) {
    return new ImportState(runId, viaStream, 0, Tally.NONE, null);
  }

  ImportState sending(Sending segment) {
    return new ImportState(runId, viaStream, items, tally, segment);
  }

  /** After a segment was applied. */
  ImportState applied(long segmentItems, Tally segmentTally) {
    return new ImportState(runId, viaStream, items + segmentItems, tally.plus(segmentTally), null);
  }

  /** The key of the segment after the items that were dealt with. */
  String key() {
    return runId + "-" + items;
  }

  /** The JSON of the state file. */
  ObjectNode toJson() {
    ObjectNode json = Json.MAPPER.createObjectNode();
    json.put("runId", runId).put("viaStream", viaStream).put("items", items);
    json.putObject("tally")
        .put("added", tally.added())
        .put("revised", tally.revised())
        .put("renamed", tally.renamed())
        .put("unchanged", tally.unchanged())
        .put("failed", tally.failed());
    if (sending != null) {
      json.putObject("sending")
          .put("items", sending.items())
          .put("decisions", sending.decisions())
          .put("since", sending.since());
    }
    return json;
  }

  static ImportState fromJson(JsonNode json) {
    var tally = json.path("tally");
    var sending = json.path("sending");
    return new ImportState(
        json.path("runId").asText(),
        json.path("viaStream").asBoolean(),
        json.path("items").asLong(),
        new Tally(
            tally.path("added").asLong(),
            tally.path("revised").asLong(),
            tally.path("renamed").asLong(),
            tally.path("unchanged").asLong(),
            tally.path("failed").asLong()),
        sending.isObject()
            ? new Sending(
                sending.path("items").asLong(),
                sending.path("decisions").asText(),
                sending.path("since").asLong())
            : null);
  }
}
