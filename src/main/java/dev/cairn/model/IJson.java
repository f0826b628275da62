package dev.cairn.model;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Strict reading of I-JSON (RFC 7493), see {@code docs/model.md}, JSON. What it refuses is a {@link
 * ErrorCode#VALIDATION_ERROR} with the RFC 6901 pointer to the place.
 *
 * <p>Integers become {@code IntNode} or {@code LongNode}, all other numbers {@code DoubleNode}, and
 * members keep their order.
 */
public final class IJson {
  /** How deep arrays and objects may nest; a scalar has depth 0. */
  public static final int MAX_DEPTH = 64;

  private static final int MAX_STRING = 20_000_000;
  private static final int MAX_NUMBER = 1000;

  /** The length in characters up to which a pointer shows the name of a member. */
  private static final int MAX_NAME_SHOWN = 200;

  private static final JsonFactory FACTORY = newFactory();

  private IJson() {}

  private static JsonFactory newFactory() {
    return JsonFactory.builder()
        .streamReadConstraints(
            StreamReadConstraints.builder()
                .maxStringLength(MAX_STRING)
                .maxNameLength(MAX_STRING)
                .maxNumberLength(MAX_NUMBER)
                .build())
        // Names come from strangers: the table of names would keep 12,000 of any length for ever.
        .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
        .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
        .build();
  }

  /** The factory with this service's limits; {@link #parser} also checks the encoding. */
  public static JsonFactory factory() {
    return FACTORY;
  }

  /**
   * A parser over bytes that must be UTF-8, without a token yet.
   *
   * @throws IOException if the stream fails
   */
  public static JsonParser parser(InputStream bytes) throws IOException {
    // the factory's own decoding guesses UTF-16 and takes overlong forms
    var decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    return FACTORY.createParser(new InputStreamReader(bytes, decoder));
  }

  /**
   * Reads the one JSON value that the bytes hold.
   *
   * @throws Problem {@link ErrorCode#VALIDATION_ERROR}
   */
  public static JsonNode read(byte[] bytes) {
    return read(bytes, new Allowance(Long.MAX_VALUE));
  }

  /**
   * Reads as {@link #read(byte[])} does, where the text is a stranger's: small values take many
   * times their length.
   *
   * @param values how many values and member names there may be
   * @throws Problem {@link ErrorCode#VALIDATION_ERROR}, {@link ErrorCode#PAYLOAD_TOO_LARGE}
   */
  public static JsonNode read(byte[] bytes, Allowance values) {
    return read(bytes, 0, values);
  }

  /**
   * Reads as {@link #read(byte[], Allowance)} does.
   *
   * @param depth below 0, how much deeper than {@link #MAX_DEPTH} the whole may nest
   */
  public static JsonNode read(byte[] bytes, int depth, Allowance values) {
    try {
      var parser = parser(new ByteArrayInputStream(bytes));
      return new IJsonReader(parser, "", depth, values).document();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads the value whose first token is the parser's current one, and leaves the parser at its
   * last token.
   *
   * @param pointer where the value stands, as the pointers of problems begin
   * @param depth how many containers the value already stands in
   * @param values how many values and member names there may be
   * @throws IOException if the stream fails
   * @throws Problem {@link ErrorCode#VALIDATION_ERROR}, {@link ErrorCode#PAYLOAD_TOO_LARGE}
   */
  public static JsonNode readValue(JsonParser parser, String pointer, int depth, Allowance values)
      throws IOException {
    return new IJsonReader(parser, pointer, depth, values).value();
  }

  /** What to say when a parser that reads step by step ends with {@code failure}. */
  public static Problem malformed(JsonParser parser, IOException failure) {
    return new IJsonReader(parser, "", 0, new Allowance(0)).malformed(failure);
  }

  /**
   * The RFC 6901 pointer to a member of the object at {@code parent}. A name of more than 200
   * characters, which no field can have, is cut and ends in {@code …}: a request may consist of one
   * name of megabytes, and each of its violations would repeat it.
   */
  public static String pointer(String parent, String member) {
    var shown = Excerpt.cut(member, MAX_NAME_SHOWN);
    if (shown.indexOf('~') < 0 && shown.indexOf('/') < 0) {
      return parent + "/" + shown;
    }
    return parent + "/" + shown.replace("~", "~0").replace("/", "~1");
  }

  /** The RFC 6901 pointer to an item of the array at {@code parent}. */
  public static String pointer(String parent, int index) {
    return parent + "/" + index;
  }
}
