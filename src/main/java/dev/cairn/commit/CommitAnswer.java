package dev.cairn.commit;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.cairn.content.Commit;
import dev.cairn.model.Allowance;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.IJson;
import dev.cairn.model.Problem;
import io.netty.buffer.ByteBufUtil;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.CharBuffer;

/**
 * The answer to a batch, the same over HTTP and MCP.
 *
 * @param status the HTTP status: 201 for a commit, 200 if none was made
 * @param json the body
 */
public record CommitAnswer(Outcome outcome, int status, String json) {
  /** Bytes for each operation besides names: its index, status, kind, hash, and so on. */
  private static final int OPERATION_LENGTH = 320;

  /** Bytes that names and errors may have beyond twice the length of the body. */
  private static final int EXTRA_LENGTH = 1024 * 1024;

  /** Maximum bytes of any answer, which is in memory as a whole, and more than once. */
  private static final int MAX_LENGTH = 8 * 1024 * 1024;

  private static final int CREATED = 201;
  private static final int OK = 200;

  /** The outcome of a batch that was not refused. */
  public enum Outcome {
    COMMITTED,
    /** It changed nothing, or was a dry run. */
    UNCHANGED,
    /** It was answered before, with the same idempotency key. */
    REPLAYED
  }

  /** How much an answer says about the operations, the parameter {@code return}. */
  public enum Form {
    /** The result of each operation. */
    FULL,
    /** How many operations had which effect, and the results with errors or warnings. */
    SUMMARY;

    /** The name of the parameter over HTTP and MCP. */
    public static final String PARAMETER = "return";

    /**
     * The form with that name.
     *
     * @throws Problem {@code VALIDATION_ERROR} if there is none
     */
    public static Form of(String text) {
      return switch (text) {
        case "full" -> FULL;
        case "summary" -> SUMMARY;
        default -> throw Problem.invalid("?" + PARAMETER, "`return` must be full or summary.");
      };
    }
  }

  /**
   * The answer that a client wants.
   *
   * @param form how much it says
   * @param maxLength how many bytes it may have at this door
   */
  public record Wanted(Form form, int maxLength) {
    /** An answer as long as any may be. */
    public static Wanted of(Form form) {
      return new Wanted(form, MAX_LENGTH);
    }
  }

  /**
   * The maximum length of the answer to a body, in bytes. The answer names each operation's target
   * twice; that name is in the body unless the operation refers to an earlier one.
   *
   * @param body length of the body in bytes
   */
  static long maxLength(Wanted wanted, int body, int operations) {
    return Math.min(
        wanted.maxLength(), EXTRA_LENGTH + 2L * body + (long) OPERATION_LENGTH * operations);
  }

  private static boolean isShown(OperationResult result, Form form) {
    return form == Form.FULL || result.problem() != null || !result.warnings().isEmpty();
  }

  /**
   * The answer to a batch.
   *
   * @param commit null if nothing was written
   * @param body length of the body in bytes
   * @throws Problem {@code PAYLOAD_TOO_LARGE} if it would be too long
   */
  static CommitAnswer of(Commit commit, CommitPlan plan, Wanted wanted, int body) {
    long max = maxLength(wanted, body, plan.results.size());
    return commit == null
        ? new CommitAnswer(
            Outcome.UNCHANGED, OK, text(max, json -> results(json, plan, wanted.form())))
        : ofCommit(commit, plan, wanted.form(), max);
  }

  /** The answer to lines of a stream, whose results are told otherwise. */
  static CommitAnswer streamed(boolean isCommitted) {
    return isCommitted
        ? new CommitAnswer(Outcome.COMMITTED, CREATED, "")
        : new CommitAnswer(Outcome.UNCHANGED, OK, "");
  }

  private static CommitAnswer ofCommit(Commit commit, CommitPlan plan, Form form, long max) {
    return new CommitAnswer(
        Outcome.COMMITTED,
        CREATED,
        text(
            max,
            json -> {
              json.writeStringField("commitId", commit.commitId());
              json.writeNumberField("repoSeq", commit.seq());
              json.writeStringField("author", commit.author());
              if (commit.message() != null) {
                json.writeStringField("message", commit.message());
              }
              json.writeNumberField("createdAt", commit.createdAt().toEpochMilli());
              results(json, plan, form);
            }));
  }

  @FunctionalInterface
  private interface Body {
    void write(JsonGenerator json) throws IOException;
  }

  /** Throws a problem as soon as the text gets too long. */
  private static final class BoundedText extends StringWriter {
    private final Allowance bytes;

    BoundedText(long max) {
      this.bytes = new Allowance(max);
    }

    @Override
    public void write(char[] buffer, int offset, int length) {
      if (!bytes.take(ByteBufUtil.utf8Bytes(CharBuffer.wrap(buffer, offset, length)))) {
        throw Problem.of(
                ErrorCode.PAYLOAD_TOO_LARGE,
                "The answer to this commit would have more than %,d bytes, because of long names or many errors."
                    .formatted(bytes.amount()))
            .at("/operations")
            .hint("Send fewer operations at once, or ask for a short answer by `return=summary`.");
      }
      super.write(buffer, offset, length);
    }
  }

  private static String text(long max, Body body) {
    var out = new BoundedText(max);
    try (var json = IJson.factory().createGenerator(out)) {
      json.writeStartObject();
      body.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString();
  }

  private static void results(JsonGenerator json, CommitPlan plan, Form form) throws IOException {
    json.writeNumberField("operationCount", plan.results.size());
    if (plan.hasErrors()) {
      json.writeBooleanField("partial", true);
    }
    if (form == Form.SUMMARY) {
      effects(json, plan);
    }
    json.writeArrayFieldStart("operations");
    for (var result : plan.results) {
      if (isShown(result, form)) {
        json.writeStartObject();
        json.writeNumberField("opIndex", result.opIndex());
        ResultJson.write(json, result, "/operations/" + result.opIndex());
        json.writeEndObject();
      }
    }
    json.writeEndArray();
  }

  private static void effects(JsonGenerator json, CommitPlan plan) throws IOException {
    var counts = plan.results.stream().collect(groupingBy(OperationResult::effect, counting()));
    json.writeObjectFieldStart("effects");
    for (var effect : OperationResult.EFFECTS) {
      json.writeNumberField(effect, counts.getOrDefault(effect, 0L));
    }
    json.writeEndObject();
  }
}
