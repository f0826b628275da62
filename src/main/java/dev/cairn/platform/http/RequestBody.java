package dev.cairn.platform.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import dev.cairn.model.Allowance;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.IJson;
import dev.cairn.model.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Reads JSON bodies after the caller is authorized, which is why resources take the raw stream.
 * Every error is a {@code VALIDATION_ERROR} with a JSON pointer.
 */
public final class RequestBody {
  /** The maximum bytes of a request with a few fields. */
  public static final int MAX_RECORD = 64 * 1024;

  /** The maximum bytes of a request with a list of names. */
  public static final int MAX_LIST = 1024 * 1024;

  /** The maximum number of JSON values: far more than a record needs, and few in memory. */
  public static final int MAX_VALUES = 10_000;

  private static final JsonMapper MAPPER = mapper();

  private RequestBody() {}

  /** The bytes of a body; more than {@code maxBytes} are {@code PAYLOAD_TOO_LARGE}. */
  public static byte[] bytes(InputStream body, int maxBytes) {
    try {
      var bytes = body.readNBytes(maxBytes + 1);
      if (bytes.length > maxBytes) {
        throw tooLong(maxBytes);
      }
      return bytes;
    } catch (IOException e) {
      throw Problem.invalid("", "The body could not be read to its end.");
    }
  }

  /** What is thrown if a body has more than {@code maxBytes}. */
  public static Problem tooLong(int maxBytes) {
    return Problem.of(
        ErrorCode.PAYLOAD_TOO_LARGE, "A body may have at most " + maxBytes + " bytes here.");
  }

  /** Releases the room of a body, which is counted elsewhere or no longer in memory. */
  public static void release(InputStream body) {
    try {
      body.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The body, of at most 64 KiB, as a record; members that the record does not have are refused by
   * name.
   */
  public static <T> T read(InputStream body, Class<T> type) {
    return read(body, type, MAX_RECORD);
  }

  /** Reads as {@link #read(InputStream, Class)} does, with another limit in bytes. */
  public static <T> T read(InputStream body, Class<T> type, int maxBytes) {
    return asRecord(object(body, maxBytes), type);
  }

  /**
   * Reads as {@link #read(InputStream, Class)} does, after a check of the object.
   *
   * @param check throws for errors that the record cannot show, such as {@code null} for a member
   *     that may be left out
   */
  public static <T> T read(InputStream body, Class<T> type, Consumer<JsonNode> check) {
    var tree = object(body, MAX_RECORD);
    check.accept(tree);
    return asRecord(tree, type);
  }

  /** The object in a body of at most 64 KiB, for code that reads its members one by one. */
  public static JsonNode object(InputStream body) {
    return object(body, MAX_RECORD);
  }

  private static JsonNode object(InputStream body, int maxBytes) {
    return object(body, maxBytes, MAX_VALUES);
  }

  /**
   * The same with other limits.
   *
   * @param maxValues maximum number of JSON values and member names
   */
  public static JsonNode object(InputStream body, int maxBytes, int maxValues) {
    JsonNode tree;
    try {
      tree = IJson.read(bytes(body, maxBytes), new Allowance(maxValues));
    } finally {
      release(body);
    }
    if (!tree.isObject()) {
      throw Problem.invalid("", "The body must be a JSON object.");
    }
    return tree;
  }

  /**
   * A part of a body as a record, with the same strict rules.
   *
   * @param pointer the JSON pointer of the part
   */
  public static <T> T asRecord(JsonNode part, Class<T> type, String pointer) {
    try {
      if (part.isObject()) {
        return asRecord(part, type);
      }
    } catch (Problem e) {
      throw e.under(pointer);
    }
    throw Problem.invalid(pointer, "The value is of the wrong type.");
  }

  /** An object as a record; members that the record does not have are refused by name. */
  public static <T> T asRecord(JsonNode tree, Class<T> type) {
    try {
      return MAPPER.treeToValue(tree, type);
    } catch (UnrecognizedPropertyException e) {
      throw Problem.invalid(pointer(e), "Unknown member `" + e.getPropertyName() + "`.")
          .hint(
              "Known here: "
                  + e.getKnownPropertyIds().stream()
                      .map(Object::toString)
                      .sorted()
                      .collect(Collectors.joining(", "))
                  + ".");
    } catch (JsonMappingException e) {
      throw Problem.invalid(pointer(e), "The value is of the wrong type.");
    } catch (JsonProcessingException e) {
      throw Problem.invalid("", "The body is not the JSON object that is expected here.");
    }
  }

  /**
   * The value of a member that must be there and not be empty.
   *
   * @param pointer the pointer to the member
   */
  public static String required(String pointer, String value) {
    if (value == null || value.isEmpty()) {
      throw Problem.invalid(pointer, "`" + pointer.substring(1) + "` is required.");
    }
    return value;
  }

  private static String pointer(JsonMappingException e) {
    var pointer = "";
    for (var reference : e.getPath()) {
      pointer =
          reference.getFieldName() == null
              ? IJson.pointer(pointer, reference.getIndex())
              : IJson.pointer(pointer, reference.getFieldName());
    }
    return pointer;
  }

  private static JsonMapper mapper() {
    var builder =
        JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS);
    builder.withCoercionConfig(
        LogicalType.Textual,
        config -> {
          config.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail);
          config.setCoercion(CoercionInputShape.Float, CoercionAction.Fail);
          config.setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
        });
    return builder.build();
  }
}
