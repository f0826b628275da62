package dev.cairn.cli.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Reads JSON that is in files and options: a member that occurs twice is refused, and so is
 * anything after the value.
 */
public final class JsonText {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private static final ObjectReader READER = MAPPER.readerFor(JsonNode.class);

  /** What follows a value is the next one. */
  private static final ObjectReader VALUES =
      READER.without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private JsonText() {}

  /**
   * The mapper, with which numbers keep all their digits. It is shared and must not be configured.
   */
  public static ObjectMapper mapper() {
    return MAPPER;
  }

  /**
   * Reads a JSON object that an option has.
   *
   * @param option the option, for the message
   * @throws CommandFailure if it is not one
   */
  public static ObjectNode object(String option, String text) {
    return object(option, ExitCode.USAGE, text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Reads any JSON that an option has.
   *
   * @param option the option, for the message
   * @param code how the command ends if it is none
   * @throws CommandFailure if it is none
   */
  public static JsonNode any(String option, ExitCode code, String text) {
    return read(option, code, text.getBytes(StandardCharsets.UTF_8));
  }

  /** The same, with {@link ExitCode#USAGE} if it is none. */
  public static JsonNode any(String option, String text) {
    return any(option, ExitCode.USAGE, text);
  }

  /**
   * Reads a JSON object.
   *
   * @param source where it is from, for the message
   * @param code how the command ends if it is not one
   * @throws CommandFailure if it is not one
   */
  static ObjectNode object(String source, ExitCode code, byte[] text) {
    if (read(source, code, text) instanceof ObjectNode object) {
      return object;
    }
    throw new CommandFailure(code, source + " is not a JSON object.");
  }

  /**
   * Reads JSON values, one after the other.
   *
   * @param source where they are from, for the message
   * @throws CommandFailure if it is no JSON; the command ends as for an invalid request
   * @throws IOException if it cannot be read
   */
  public static List<JsonNode> values(String source, InputStream in) throws IOException {
    try (MappingIterator<JsonNode> values = VALUES.readValues(in)) {
      return values.readAll();
    } catch (JsonProcessingException e) {
      throw new CommandFailure(ExitCode.INVALID, source + " is not JSON" + place(e) + ".");
    }
  }

  private static JsonNode read(String source, ExitCode code, byte[] text) {
    try {
      var node = READER.readTree(text);
      if (node.isMissingNode()) {
        throw new CommandFailure(code, source + " is empty.");
      }
      return node;
    } catch (JsonProcessingException e) {
      throw new CommandFailure(code, source + " is not JSON" + place(e) + ".");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where the fault is; never what stands there, which may be a secret. */
  private static String place(JsonProcessingException fault) {
    var location = fault.getLocation();
    return location == null || location.getLineNr() < 1
        ? ""
        : ": see line %d, column %d".formatted(location.getLineNr(), location.getColumnNr());
  }
}
