package dev.cairn.content;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.model.IJson;
import dev.cairn.model.StoredJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;

/**
 * Hashes of the values in an entity's data, which the column {@code entity.field_hashes} keeps and
 * an index finds. Each stands for a repository, a shape, the names on the path to a value, and the
 * value: a string, a number, or a boolean, also in lists. Different values may have the same hash,
 * so the data of what is found must be examined. See {@code docs/plans.md}.
 *
 * <p>Databases keep the hashes: what changes them must compute them again for all entities.
 */
final class FieldHashes {
  /**
   * The largest number of hashes of an entity. The data of one with more says nothing about its
   * values but that they are many, so that all conditions find it.
   */
  static final int MAX = 100;

  private static final char STRING = 's';
  private static final char NUMBER = 'n';
  private static final char BOOLEAN = 'b';

  /** A reference, whose text changes with the name of what it refers to. */
  private static final char REFERENCE = 'r';

  private static final char MANY = 'm';

  private static final String MARK = String.valueOf(StoredJson.MARK);
  private static final String ESCAPED_MARK = "\\u0001";

  private final CRC32C crc = new CRC32C();
  private final byte[] scope;

  /**
   * Hashes of the values of one shape.
   *
   * @param shapeId the id of the shape in its repository
   */
  FieldHashes(UUID repoId, long shapeId) {
    scope =
        ByteBuffer.allocate(3 * Long.BYTES)
            .putLong(repoId.getMostSignificantBits())
            .putLong(repoId.getLeastSignificantBits())
            .putLong(shapeId)
            .array();
  }

  /**
   * The hashes of an entity's data, each once.
   *
   * @param stored the data as it is stored
   */
  private int[] ofStored(String stored) {
    var hashes = new TreeSet<Integer>();
    // A string of a client that begins with a mark is taken for a reference here and in a search.
    try (var parser = IJson.factory().createParser(stored.replace(MARK, ESCAPED_MARK))) {
      collect(parser, hashes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return hashes.size() > MAX
        ? new int[] {many()}
        : hashes.stream().mapToInt(Integer::intValue).toArray();
  }

  /** The same as the literal of an array: arrays of different lengths form no array of arrays. */
  String literal(String stored) {
    return Arrays.stream(ofStored(stored))
        .mapToObj(Integer::toString)
        .collect(Collectors.joining(",", "{", "}"));
  }

  private void collect(JsonParser parser, Set<Integer> hashes) throws IOException {
    var path = new StringBuilder();
    var lengths = new ArrayDeque<Integer>();
    for (var token = parser.nextToken();
        token != null && hashes.size() <= MAX;
        token = parser.nextToken()) {
      switch (token) {
        case START_OBJECT -> lengths.push(path.length());
        case END_OBJECT -> path.setLength(lengths.pop());
        case FIELD_NAME -> {
          path.setLength(lengths.getFirst());
          append(path, parser.currentName());
        }
        default -> {
          if (token.isScalarValue() && token != JsonToken.VALUE_NULL) {
            hashes.add(ofScalar(path, token, parser.getText()));
          }
        }
      }
    }
  }

  private int ofScalar(CharSequence path, JsonToken token, String text) {
    if (token == JsonToken.VALUE_STRING) {
      return text.startsWith(MARK) ? hash(path, REFERENCE, "") : hash(path, STRING, text);
    }
    return hash(path, token.isNumeric() ? NUMBER : BOOLEAN, text);
  }

  private static void append(StringBuilder path, String name) {
    path.append('.').append(name);
  }

  /**
   * The hashes that an entity has at least one of if a field has one of several values: strings,
   * numbers, or booleans.
   *
   * @param names the names of nested fields, outermost first
   */
  int[] ofAny(List<String> names, Iterable<JsonNode> values) {
    var path = new StringBuilder();
    names.forEach(name -> append(path, name));
    var hashes = new TreeSet<Integer>();
    hashes.add(many());
    values.forEach(value -> hashes.addAll(ofWanted(path, value)));
    return hashes.stream().mapToInt(Integer::intValue).toArray();
  }

  private List<Integer> ofWanted(CharSequence path, JsonNode value) {
    if (!value.isTextual()) {
      var text = StoredJson.of(value, Map.of());
      return List.of(hash(path, value.isNumber() ? NUMBER : BOOLEAN, text));
    }
    var text = value.textValue();
    // Data that is older than the definition may have a reference where a string is looked for.
    return text.indexOf('/') >= 0 || text.startsWith(MARK)
        ? List.of(hash(path, STRING, text), hash(path, REFERENCE, ""))
        : List.of(hash(path, STRING, text));
  }

  private int many() {
    return hash("", MANY, "");
  }

  private int hash(CharSequence path, char type, String value) {
    crc.reset();
    crc.update(scope);
    crc.update((path + "\n" + type + value).getBytes(StandardCharsets.UTF_8));
    return (int) crc.getValue();
  }
}
