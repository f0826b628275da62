package dev.cairn.model;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Strict reading of I-JSON (RFC 7493), see {@code docs/model.md}, JSON. Invalid input raises a
 * {@link ErrorCode#VALIDATION_ERROR} with the RFC 6901 pointer to the value.
 *
 * <p>Integers become {@code IntNode} or {@code LongNode}, all other numbers {@code DoubleNode}, and
 * members keep their order.
 */
public final class IJson {
  /** The maximum nesting depth of arrays and objects; a scalar has depth 0. */
  public static final int MAX_DEPTH = 64;

  private static final int MAX_STRING = 20_000_000;
  private static final int MAX_NUMBER = 1000;

  /** The length in characters up to which a pointer shows the name of a member. */
  private static final int MAX_NAME_SHOWN = 200;

  /** How many parsers and generators leave their buffers, of some 100 KiB, to the next ones. */
  static final int MAX_KEPT_BUFFERS = 32;

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
        // Names come from clients: the name table would keep 12,000 of any length forever.
        .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
        .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
        // By default each thread keeps its buffers, so also one that then follows a repository.
        .recyclerPool(JsonRecyclerPools.newBoundedPool(MAX_KEPT_BUFFERS))
        .build();
  }

  /**
   * The factory with this service's limits; unlike {@link #parser} it does not check the encoding.
   */
  public static JsonFactory factory() {
    return FACTORY;
  }

  /**
   * A parser over bytes that must be UTF-8, positioned before the first token.
   *
   * @throws IOException if the stream fails
   */
  public static JsonParser parser(InputStream bytes) throws IOException {
    // the factory's own decoding guesses UTF-16 and accepts overlong forms
    var decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    return FACTORY.createParser(new InputStreamReader(bytes, decoder));
  }

  /**
   * Reads the bytes as exactly one JSON value.
   *
   * @throws Problem {@link ErrorCode#VALIDATION_ERROR}
   */
  public static JsonNode read(byte[] bytes) {
    return read(bytes, new Allowance(Long.MAX_VALUE));
  }

  /**
   * Reads untrusted bytes as {@link #read(byte[])} does. The number of values is limited, because
   * small values take many times their length in memory.
   *
   * @param values maximum number of values and member names
   * @throws Problem {@link ErrorCode#VALIDATION_ERROR}, {@link ErrorCode#PAYLOAD_TOO_LARGE}
   */
  public static JsonNode read(byte[] bytes, Allowance values) {
    return read(bytes, 0, values);
  }

  /**
   * Reads as {@link #read(byte[], Allowance)} does.
   *
   * @param depth depth at which the value is; negative if it may nest that much deeper than {@link
   *     #MAX_DEPTH}
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
   * Reads characters as exactly one JSON value, as {@link #read(byte[], int, Allowance)} reads
   * bytes.
   *
   * @param length how many of the characters are the text
   */
  public static JsonNode read(char[] text, int length, int depth, Allowance values) {
    try {
      var parser = FACTORY.createParser(text, 0, length);
      return new IJsonReader(parser, "", depth, values).document();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads the value that begins at the parser's current token, and leaves the parser at the value's
   * last token.
   *
   * @param pointer RFC 6901 pointer to the value, which the pointers of problems begin with
   * @param depth number of containers around the value
   * @param values maximum number of values and member names
   * @throws IOException if the stream fails
   * @throws Problem {@link ErrorCode#VALIDATION_ERROR}, {@link ErrorCode#PAYLOAD_TOO_LARGE}
   */
  public static JsonNode readValue(JsonParser parser, String pointer, int depth, Allowance values)
      throws IOException {
    return new IJsonReader(parser, pointer, depth, values).value();
  }

  /** The problem for a {@code failure} of a parser that is read token by token. */
  public static Problem malformed(JsonParser parser, IOException failure) {
    return new IJsonReader(parser, "", 0, new Allowance(0)).malformed(failure);
  }

  /**
   * The RFC 6901 pointer to a member of the object at {@code parent}. A name of more than 200
   * characters, which no field can have, is cut and ends in {@code …}: otherwise each violation of
   * a request could repeat a name of megabytes.
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
