package dev.cairn.query;

import dev.cairn.content.EntityRow;
import dev.cairn.model.JsonBytes;
import dev.cairn.model.Problem;
import dev.cairn.model.StoredJson;
import dev.cairn.platform.http.QueryParameters;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The paths of {@code data} that a list shows, given by the parameter {@code fields}; see {@code
 * docs/reads.md}, Fields in the answer. Stored data is cut as bytes, in one pass.
 */
public final class ShownFields {
  /** The name of the parameter. */
  public static final String FIELDS = "fields";

  /** The whole data. */
  public static final ShownFields ALL = new ShownFields(new Node(null));

  private static final int MAX_PATHS = 100;
  private static final int BYTES_OF_NODE = 200;

  private final Node root;

  /** A step of the paths that begin in the same way. */
  private static final class Node {
    /** The member's name as it is stored between its quotes; null for the root. */
    final byte[] name;

    /** The steps after this one. */
    final List<Node> next = new ArrayList<>();

    /** Whether a path ends here, so that all of the value is shown. */
    boolean isEnd;

    Node(byte[] name) {
      this.name = name;
    }

    Node after(String member) {
      var stored = StoredJson.escape(member).getBytes(StandardCharsets.UTF_8);
      var known = next(stored, 0, stored.length);
      if (known != null) {
        return known;
      }
      next.add(new Node(stored));
      return next.getLast();
    }

    /** The step to the member whose name is a part of {@code json}; null if no path has it. */
    Node next(byte[] json, int from, int to) {
      for (var node : next) {
        if (Arrays.equals(node.name, 0, node.name.length, json, from, to)) {
          return node;
        }
      }
      return null;
    }
  }

  private ShownFields(Node root) {
    this.root = root;
  }

  /** An upper estimate of the bytes of memory that they take. */
  public int bytes() {
    int bytes = 0;
    var left = new ArrayDeque<>(List.of(root)); // a path may have thousands of steps
    while (!left.isEmpty()) {
      var node = left.removeLast();
      bytes += BYTES_OF_NODE + (node.name == null ? 0 : node.name.length);
      left.addAll(node.next);
    }
    return bytes;
  }

  /** Reads the parameter, of which there may be several; without it, all of the data is shown. */
  public static ShownFields of(QueryParameters parameters) {
    var texts = parameters.texts(FIELDS);
    return texts.isEmpty() ? ALL : parse(String.join(",", texts));
  }

  private static ShownFields parse(String text) {
    var paths = text.split(",", -1);
    if (paths.length > MAX_PATHS) {
      throw Problem.invalid(
          "?" + FIELDS,
          "`fields` may have at most %d paths, not %d.".formatted(MAX_PATHS, paths.length));
    }
    var root = new Node(null);
    for (var path : paths) {
      var node = root;
      for (var name : path.split("\\.", -1)) {
        if (name.isEmpty()) {
          throw Problem.invalid(
              "?" + FIELDS,
              "`fields` must be paths of field names, separated by commas: `name,address.city`.");
        }
        node = node.after(name);
      }
      node.isEnd = true;
    }
    return new ShownFields(root);
  }

  /** The entity with the shown part of its data. */
  public EntityRow of(EntityRow entity) {
    return this == ALL ? entity : entity.withData(of(entity.data()));
  }

  /**
   * The shown part of stored data.
   *
   * @param json stored JSON; null for none
   */
  byte[] of(byte[] json) {
    return this == ALL || json == null ? json : new Cut(json).value(root);
  }

  /** One pass over the bytes of a value; what is shown is moved to a copy of them. */
  private static final class Cut {
    private final byte[] json;
    private final byte[] shown;
    private int at;
    private int size;

    Cut(byte[] json) {
      this.json = json;
      this.shown = new byte[json.length];
    }

    byte[] value(Node root) {
      container(root);
      return Arrays.copyOf(shown, size);
    }

    /** The value at hand, which is an object or array. */
    private void container(Node node) {
      boolean isObject = json[at] == '{';
      byte end = (byte) (isObject ? '}' : ']');
      shown[size++] = json[at++];
      int begin = size;
      while (json[at] != end) {
        if (json[at] == ',') {
          at++;
        }
        if (isObject) {
          member(node, begin);
        } else if (isContainer()) {
          comma(begin);
          container(node);
        } else {
          at = JsonBytes.afterValue(json, at);
        }
      }
      shown[size++] = json[at++];
    }

    private void member(Node node, int begin) {
      int from = at;
      at = JsonBytes.afterString(json, at);
      var next = node.next(json, from + 1, at - 1);
      // After the colon.
      at++;
      if (next == null || !(next.isEnd || isContainer())) {
        at = JsonBytes.afterValue(json, at);
        return;
      }
      comma(begin);
      copy(from);
      if (next.isEnd) {
        int value = at;
        at = JsonBytes.afterValue(json, at);
        copy(value);
      } else {
        container(next);
      }
    }

    private boolean isContainer() {
      return json[at] == '{' || json[at] == '[';
    }

    /** Separates what comes next from what is shown since {@code begin}. */
    private void comma(int begin) {
      if (size > begin) {
        shown[size++] = ',';
      }
    }

    private void copy(int from) {
      System.arraycopy(json, from, shown, size, at - from);
      size += at - from;
    }
  }
}
