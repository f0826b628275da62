package dev.cairn.content;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.model.IJson;
import dev.cairn.model.Sha256;
import dev.cairn.model.StoredJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Hashes of the strings and numbers in an entity's data, which the column {@code
 * entity.field_hashes} keeps and an index finds. Each stands for a repository, a shape, the names
 * on the path to a value, and the value, also in lists. Different values may have the same hash, so
 * the data of what is found must be examined. See {@code docs/plans.md}.
 *
 * <p>Databases keep the hashes: what changes them must compute them again for all entities.
 */
public final class FieldHashes {
  /**
   * The largest number of hashes of an entity: each costs commits an entry of the index. One with
   * more has a single hash, by which all conditions find it.
   */
  static final int MAX = 32;

  /**
   * How many hashes there are: the index never frees the place of one that nothing has any more.
   */
  private static final int MASK = (1 << 24) - 1;

  private static final char STRING = 's';
  private static final char NUMBER = 'n';

  /** A reference, whose text changes with the name of what it refers to. */
  private static final char REFERENCE = 'r';

  private static final char MANY = 'm';

  private static final String MARK = String.valueOf(StoredJson.MARK);
  private static final String ESCAPED_MARK = "\\u0001";

  private final MessageDigest digest = Sha256.digest();

  /** Of the repository and the shape, where paths begin. */
  private final long scope;

  /**
   * Hashes of the values of one shape.
   *
   * @param shapeId the id of the shape in its repository
   */
  public FieldHashes(UUID repoId, long shapeId) {
    scope = hash(0, repoId + "/" + shapeId);
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
  public String literal(String stored) {
    return Arrays.stream(ofStored(stored))
        .mapToObj(Integer::toString)
        .collect(Collectors.joining(",", "{", "}"));
  }

  private void collect(JsonParser parser, Set<Integer> hashes) throws IOException {
    long path = scope;
    var parents = new ArrayDeque<Long>();
    for (var token = parser.nextToken();
        token != null && hashes.size() <= MAX;
        token = parser.nextToken()) {
      switch (token) {
        case START_OBJECT -> parents.push(path);
        case END_OBJECT -> path = parents.pop();
        case FIELD_NAME -> path = hash(parents.getFirst(), parser.currentName());
        case VALUE_STRING -> hashes.add(ofText(path, parser.getText()));
        case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> hashes.add(of(path, NUMBER, parser.getText()));
        default -> {}
      }
    }
  }

  private int ofText(long path, String text) {
    return text.startsWith(MARK) ? of(path, REFERENCE, "") : of(path, STRING, text);
  }

  /**
   * The hashes that an entity has at least one of if a field has one of several values.
   *
   * @param names the names of nested fields, outermost first
   * @param values strings or numbers
   */
  int[] ofAny(List<String> names, Iterable<JsonNode> values) {
    long path = scope;
    for (var name : names) {
      path = hash(path, name);
    }
    var hashes = new TreeSet<Integer>();
    hashes.add(many());
    for (var value : values) {
      if (value.isTextual()) {
        hashes.add(of(path, STRING, value.textValue()));
        // Data that is older than the definition may have a reference with this text.
        hashes.add(of(path, REFERENCE, ""));
      } else {
        hashes.add(of(path, NUMBER, StoredJson.of(value, Map.of())));
      }
    }
    return hashes.stream().mapToInt(Integer::intValue).toArray();
  }

  private int many() {
    return of(scope, MANY, "");
  }

  private int of(long path, char type, String value) {
    return (int) hash(path, type + value) & MASK;
  }

  /**
   * A hash that continues another one: of a path, each name is read once. Callers that do not know
   * the id of another repository, which no answer shows, cannot make values with its hashes, which
   * its searches would find too.
   */
  private long hash(long before, String text) {
    digest.update(ByteBuffer.allocate(Long.BYTES).putLong(before).flip());
    return ByteBuffer.wrap(digest.digest(text.getBytes(StandardCharsets.UTF_8))).getLong();
  }
}
