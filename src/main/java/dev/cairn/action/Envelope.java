package dev.cairn.action;

import dev.cairn.content.Commit;
import dev.cairn.platform.page.JsonOut;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;

/**
 * The JSON that attempts hand over; {@code docs/actions.md}, What is sent. It is kept with its run,
 * but for what is kept once for the whole commit, the matched operations, and for the callback's
 * token, which is kept nowhere: these two are put in when it is sent, the same each time.
 */
final class Envelope {
  /** Begins the last member, and does not occur after its beginning. */
  private static final byte[] CALLBACK = ",\"callbackUrl\":\"".getBytes(StandardCharsets.US_ASCII);

  private static final String END = "\"}}";

  private Envelope() {}

  /**
   * The members that all envelopes have.
   *
   * @param org the organization of the subscription
   * @param repo the repository of the subscription
   * @param sourceRepo the repository that it watches, as {@code org/repo}; null if it is its own
   * @param baseUrl what the callback's address begins with
   */
  record About(
      UUID runId,
      UUID traceId,
      String subscriptionName,
      String org,
      String repo,
      String sourceRepo,
      String baseUrl) {}

  /** The envelope of a run of a commit. */
  static String ofCommit(About about, Commit commit, int[] matched) {
    var out = begin(about, "cairn.commit", commit.createdAt());
    out.name("commit").object();
    out.name("commitId").value(commit.commitId());
    out.name("repoSeq").value(commit.seq());
    out.name("author").value(commit.author());
    if (commit.message() != null) {
      out.name("message").value(commit.message());
    }
    out.name("createdAt").value(commit.createdAt().toEpochMilli()).end();
    return end(out, about, matched);
  }

  /** The envelope of a run of a schedule. */
  static String ofSchedule(About about, Instant scheduledAt) {
    var out = begin(about, "cairn.cron", scheduledAt);
    out.name("scheduledAt").value(scheduledAt.toEpochMilli());
    return end(out, about, new int[0]);
  }

  private static JsonOut begin(About about, String type, Instant at) {
    var out = new JsonOut().object();
    out.name("type").value(type);
    out.name("timestamp").value(at.toString());
    out.name("data").object();
    out.name("runId").value(about.runId().toString());
    out.name("traceId").value(about.traceId().toString());
    out.name("subscriptionName").value(about.subscriptionName());
    out.name("repo").object();
    out.name("orgName").value(about.org()).name("repoName").value(about.repo()).end();
    if (about.sourceRepo() != null) {
      out.name("sourceRepo").value(about.sourceRepo());
    }
    return out;
  }

  private static String end(JsonOut out, About about, int[] matched) {
    out.name("matchedOperationIndexes").array();
    Arrays.stream(matched).forEach(out::value);
    out.endArray();
    var url = about.baseUrl() + "/api/action-runs/" + about.runId() + "/callback";
    out.name("callbackUrl").value(url).end().end();
    return new String(out.toBytes(), StandardCharsets.UTF_8);
  }

  /**
   * The bytes before and after the matched operations, in UTF-8.
   *
   * @param head up to the beginning of the first of them
   */
  record Frame(byte[] head, byte[] tail) {
    /** All that is sent, with the operations, separated by commas. */
    byte[] around(byte[] operations) {
      var out = new ByteArrayOutputStream(head.length + operations.length + tail.length);
      out.writeBytes(head);
      out.writeBytes(operations);
      out.writeBytes(tail);
      return out.toByteArray();
    }
  }

  /**
   * The frame of what is sent.
   *
   * @param envelope as kept, in UTF-8
   * @param token of the callback; ASCII
   */
  static Frame frame(byte[] envelope, String token) {
    int at = callbackOffset(envelope);
    var head = new ByteArrayOutputStream(at + 32);
    head.write(envelope, 0, at);
    head.writeBytes(",\"matchedOperations\":[".getBytes(StandardCharsets.US_ASCII));
    var tail = new ByteArrayOutputStream(256);
    tail.write(']');
    tail.write(envelope, at, envelope.length - at - END.length());
    tail.writeBytes(("?token=" + token + END).getBytes(StandardCharsets.US_ASCII));
    return new Frame(head.toByteArray(), tail.toByteArray());
  }

  private static int callbackOffset(byte[] envelope) {
    for (int at = envelope.length - CALLBACK.length; at > 0; at--) {
      if (Arrays.equals(envelope, at, at + CALLBACK.length, CALLBACK, 0, CALLBACK.length)) {
        return at;
      }
    }
    throw new IllegalArgumentException("an envelope ends with its callback's address");
  }
}
