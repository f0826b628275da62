package dev.cairn.commit;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.cairn.commit.CommitRequest.Numbering;
import dev.cairn.model.Allowance;
import dev.cairn.model.IJson;
import dev.cairn.model.Problem;
import dev.cairn.model.ValidationBudget;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Lines of a streaming submission that are applied together; each is one operation, or cannot be
 * read, which is then its result. See {@code docs/streams.md}, Result lines.
 *
 * @param first the number of the first operation in the submission, from 0
 * @param lines at least one
 */
public record SubmittedLines(int first, List<Line> lines) {
  /**
   * A line.
   *
   * @param number its number in the body, from 1
   * @param json its bytes; empty if it is refused
   * @param refusal why it is not read; null if it is
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Line(int number, byte[] json, Problem refusal) {
    private static final byte[] NONE = {};

    /** A line to be read. */
    public static Line of(int number, byte[] json) {
      return new Line(number, json, null);
    }

    /** A line that is not read, with the reason. */
    public static Line refused(int number, Problem refusal) {
      return new Line(number, NONE, refusal);
    }
  }

  /**
   * What became of the lines.
   *
   * @param commitId null if nothing was written
   * @param seq the sequence number of the commit; 0 if nothing was written
   * @param applied how many operations changed something
   * @param noops how many changed nothing, because it was so already
   * @param errors how many failed
   * @param results the result lines, in UTF-8; each ends with a line feed
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Applied(
      String commitId, long seq, int applied, int noops, int errors, byte[] results) {}

  /** How many there are. */
  public int size() {
    return lines.size();
  }

  /** A part of them. */
  public SubmittedLines part(int from, int to) {
    return new SubmittedLines(first + from, lines.subList(from, to));
  }

  /** The same with a single line, which is refused. */
  public SubmittedLines refused(Problem refusal) {
    return new SubmittedLines(first, List.of(Line.refused(lines.getFirst().number(), refusal)));
  }

  /**
   * Passes the number of each operation whose result the lines may refer to by {@code $n}, as often
   * as they do: each string of JSON that begins so, whatever it is.
   */
  public void eachReferredResult(IntConsumer found) {
    for (var line : lines) {
      ResultReferences.each(line.json(), found);
    }
  }

  /** All bytes, with a line feed after each line. */
  byte[] body() {
    var out = new ByteArrayOutputStream();
    for (var line : lines) {
      out.writeBytes(line.json());
      out.write('\n');
    }
    return out.toByteArray();
  }

  /**
   * Reads the lines as a batch of which each operation may fail by itself.
   *
   * @param numbering of the operations in their commit
   */
  CommitRequest parse(CommitText text, Numbering numbering) {
    var reader = new Reader();
    var operations = new ArrayList<SubmittedOperation>(lines.size());
    for (int i = 0; i < lines.size(); i++) {
      operations.add(reader.read(i, lines.get(i)));
    }
    return new CommitRequest(text.message(), text.author(), false, false, operations, numbering);
  }

  /** Reads lines, with the same buffer for all. */
  private static final class Reader {
    private final ValidationBudget budget = ValidationBudget.ofCommit();
    private final CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    private char[] characters = new char[4096];

    SubmittedOperation read(int index, Line line) {
      if (line.refusal() != null) {
        return SubmittedOperation.unreadable(index, line.refusal(), budget);
      }
      try {
        int length = decode(line.json());
        var json =
            IJson.read(
                characters,
                length,
                CommitRequest.OPERATION_DEPTH,
                new Allowance(CommitRequest.MAX_JSON_VALUES));
        return SubmittedOperation.parse(index, json, budget);
      } catch (CharacterCodingException _) {
        return SubmittedOperation.unreadable(
            index, Problem.invalid("", "The line is not valid UTF-8."), budget);
      } catch (Problem e) {
        return SubmittedOperation.unreadable(index, e, budget);
      }
    }

    private int decode(byte[] json) throws CharacterCodingException {
      if (json.length > characters.length) {
        characters = new char[json.length];
      }
      var decoded = CharBuffer.wrap(characters);
      decoder.reset();
      var result = decoder.decode(ByteBuffer.wrap(json), decoded, true);
      if (result.isError()) {
        result.throwException();
      }
      decoder.flush(decoded);
      return decoded.position();
    }
  }

  /**
   * What became of the lines.
   *
   * @param operations the lines as they were read
   * @param commitId null if nothing was written, or it is not known yet
   * @param seq the sequence number of the commit; 0 if nothing was written
   */
  Applied applied(List<SubmittedOperation> operations, CommitPlan plan, String commitId, long seq) {
    return applied(operations, plan, commitId, seq, _ -> true);
  }

  /**
   * The same with the result lines of the operations that failed, and no others.
   *
   * @param maxLines how many of them at most, the first ones
   */
  Applied failed(List<SubmittedOperation> operations, CommitPlan plan, int maxLines) {
    var shown =
        plan.results.stream()
            .filter(result -> result.status() == OperationResult.Status.ERROR)
            .limit(maxLines)
            .map(OperationResult::opIndex)
            .collect(Collectors.toSet());
    return applied(operations, plan, null, 0, result -> shown.contains(result.opIndex()));
  }

  private Applied applied(
      List<SubmittedOperation> operations,
      CommitPlan plan,
      String commitId,
      long seq,
      Predicate<OperationResult> isShown) {
    var out = new ByteArrayOutputStream();
    int applied = 0;
    int noops = 0;
    int errors = 0;
    try (var json = IJson.factory().createGenerator(out)) {
      json.setRootValueSeparator(null);
      for (var result : plan.results) {
        if (isShown.test(result)) {
          write(json, result, operations.get(result.opIndex()), seq);
          json.writeRaw('\n');
        }
        switch (result.status()) {
          case APPLIED -> applied++;
          case NOOP -> noops++;
          case ERROR -> errors++;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Applied(commitId, seq, applied, noops, errors, out.toByteArray());
  }

  private void write(
      JsonGenerator json, OperationResult result, SubmittedOperation operation, long seq)
      throws IOException {
    json.writeStartObject();
    json.writeNumberField("line", lines.get(result.opIndex()).number());
    json.writeNumberField("opIndex", first + result.opIndex());
    if (operation.opId() != null) {
      json.writeStringField("opId", operation.opId());
    }
    ResultJson.write(json, result, "");
    if (result.status() == OperationResult.Status.APPLIED) {
      json.writeNumberField("repoSeq", seq);
    }
    json.writeEndObject();
  }
}
