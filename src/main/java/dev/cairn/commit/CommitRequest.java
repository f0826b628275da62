package dev.cairn.commit;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.content.write.EntityName;
import dev.cairn.model.Allowance;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Excerpt;
import dev.cairn.model.IJson;
import dev.cairn.model.Problem;
import dev.cairn.model.ValidationBudget;
import dev.cairn.model.Violations;
import dev.cairn.model.Wref;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/**
 * A batch of operations whose form has been checked.
 *
 * @param message null if there is none
 * @param author null if the caller is the author
 * @param numbering how the operations are numbered where they come from
 */
record CommitRequest(
    String message,
    String author,
    boolean atomic,
    boolean dryRun,
    List<SubmittedOperation> operations,
    Numbering numbering) {

  static final int MAX_OPERATIONS = 10_000;
  static final int MAX_JSON_VALUES = 2_000_000;
  static final int MAX_MESSAGE_LENGTH = 10_000;
  static final int MAX_AUTHOR_LENGTH = 200;

  /** The nesting depth of a payload counts from the payload, which is inside an operation. */
  static final int OPERATION_DEPTH = -1;

  /** The same depth seen from the body, in which each operation is an item of a member. */
  private static final int BODY_DEPTH = OPERATION_DEPTH - 2;

  /**
   * How the operations of a batch are numbered.
   *
   * @param first the number of the first one; the others follow
   * @param earlier the results of operations of the same commit before the batch that it may refer
   *     to, by their numbers; null if {@code $n} stands for nothing
   */
  record Numbering(int first, Map<Integer, EarlierResult> earlier) {
    /** All operations of a commit are in one batch. */
    static final Numbering OF_COMMIT = new Numbering(0, Map.of());

    /** The numbers of operations that may be in several commits. */
    static final Numbering OF_STREAM = new Numbering(0, null);

    /** The number of an operation, by its index in the batch. */
    int of(int index) {
      return first + index;
    }

    /** The index in the batch of the operation with a number; negative if it is before. */
    int index(int number) {
      return number - first;
    }
  }

  /**
   * What an operation made or found that was planned and written before the batch.
   *
   * @param version the version that it had right after it
   * @param name the name that it has now
   */
  record EarlierResult(long entityId, int version, EntityName name) {
    Wref wref() {
      return Wref.local(name.shapeName(), name.name());
    }
  }

  /** Reads a request; operations are read one by one. */
  static CommitRequest parse(byte[] body) {
    var parser = parser(body);
    try {
      return new Reader(parser).read();
    } catch (IOException e) {
      throw IJson.malformed(parser, e);
    }
  }

  /** The whole body as a tree, in which payloads may nest as deep as in {@link #parse}. */
  static JsonNode tree(byte[] body) {
    var parser = parser(body);
    try {
      parser.nextToken();
      return IJson.readValue(parser, "", BODY_DEPTH, new Allowance(MAX_JSON_VALUES));
    } catch (IOException e) {
      throw IJson.malformed(parser, e);
    }
  }

  private static JsonParser parser(byte[] body) {
    try {
      return IJson.parser(new ByteArrayInputStream(body));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether it cannot be committed, because it is atomic and the form of an operation is wrong. */
  boolean isMalformed() {
    return atomic && operations.stream().anyMatch(operation -> operation.problem() != null);
  }

  /** Reads the members of the request in any order. */
  private static final class Reader {
    private final JsonParser parser;
    private final Allowance values = new Allowance(MAX_JSON_VALUES);
    private final ValidationBudget budget = ValidationBudget.ofCommit();
    private final HashSet<String> seen = new HashSet<>();
    private final Violations unknown = new Violations();
    private final List<SubmittedOperation> operations = new ArrayList<>();
    private String message;
    private String author;
    private boolean atomic = true;
    private boolean dryRun;

    Reader(JsonParser parser) {
      this.parser = parser;
    }

    CommitRequest read() throws IOException {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw Problem.invalid("", "The body must be a JSON object.");
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        member(parser.currentName());
      }
      if (parser.nextToken() != null) {
        throw Problem.invalid("", "The body must end after the JSON object.");
      }
      refuseUnknown();
      if (!seen.contains("operations") || operations.isEmpty()) {
        throw Problem.invalid("/operations", "`operations` must have at least one operation.");
      }
      return new CommitRequest(message, author, atomic, dryRun, operations, Numbering.OF_COMMIT);
    }

    private void member(String name) throws IOException {
      var at = IJson.pointer("", name);
      if (!seen.add(name)) {
        throw Problem.invalid(at, "The member `" + name + "` occurs twice.");
      }
      parser.nextToken();
      switch (name) {
        case "operations" -> operations();
        case "message" -> message = CommitText.emptyToNull(text(at, MAX_MESSAGE_LENGTH));
        case "author" -> author = author(at);
        case "atomic" -> atomic = flag(at);
        case "dryRun" -> dryRun = flag(at);
        default -> unknown(at, name);
      }
    }

    private void unknown(String at, String name) throws IOException {
      unknown.add(at, "Unknown member `" + Excerpt.of(name) + "`.");
      parser.skipChildren();
      if (seen.size() > Violations.MAX_LISTED) {
        refuseUnknown();
      }
    }

    private void refuseUnknown() {
      if (!unknown.isEmpty()) {
        throw unknown
            .problem(ErrorCode.VALIDATION_ERROR)
            .hint("Known here: atomic, author, dryRun, message, operations.");
      }
    }

    private void operations() throws IOException {
      if (parser.currentToken() != JsonToken.START_ARRAY) {
        throw Problem.invalid("/operations", "`operations` must be an array.");
      }
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        int index = operations.size();
        if (index == MAX_OPERATIONS) {
          throw Problem.of(
                  ErrorCode.PAYLOAD_TOO_LARGE, "A commit may have at most 10,000 operations.")
              .at("/operations");
        }
        var at = IJson.pointer("/operations", index);
        var json = IJson.readValue(parser, at, OPERATION_DEPTH, values);
        operations.add(SubmittedOperation.parse(index, json, budget));
      }
    }

    private String author(String at) throws IOException {
      var text = text(at, MAX_AUTHOR_LENGTH);
      return CommitText.author(at, text);
    }

    private String text(String at, int max) throws IOException {
      JsonNode value = IJson.readValue(parser, at, 0, values);
      if (!value.isTextual()) {
        throw Problem.invalid(at, "`" + at.substring(1) + "` must be a string.");
      }
      return CommitText.limited(at, value.textValue(), max);
    }

    private boolean flag(String at) throws IOException {
      JsonNode value = IJson.readValue(parser, at, 0, values);
      if (!value.isBoolean()) {
        throw Problem.invalid(at, "`" + at.substring(1) + "` must be true or false.");
      }
      return value.booleanValue();
    }
  }
}
