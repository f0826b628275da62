package dev.cairn.action;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * The lines of a secret, each of them a secret by itself, for the algorithm of Aho and Corasick: it
 * takes time and memory that are proportional to the lengths of the secret and of the text, however
 * many the lines are and whatever they have in common. {@code docs/actions.md}, Masking.
 */
final class SecretLines {
  private static final int MIN_LENGTH = 4;

  private final Node root = new Node();
  private int longest;

  /** What lines may begin with. */
  private static final class Node {
    /** By the character that follows. */
    private final Map<Character, Node> next = new HashMap<>();

    /** The longest proper end of this one that lines may begin with too; null for the root. */
    private Node end;

    /** The length of the longest line that this one ends with; 0 if there is none. */
    private int line;

    /** This one and one more character, or the longest end of that which lines begin with. */
    private Node after(char character) {
      for (var node = this; ; node = node.end) {
        var after = node.next.get(character);
        if (after != null) {
          return after;
        }
        if (node.end == null) {
          return node;
        }
      }
    }
  }

  /**
   * The lines of a secret, except those that are too short to be secrets.
   *
   * @param length of the text, in characters: longer lines are not looked for
   */
  SecretLines(String secret, int length) {
    secret
        .lines()
        .map(String::strip)
        .filter(line -> line.length() >= MIN_LENGTH)
        .forEach(
            line -> {
              longest = Math.max(longest, line.length());
              if (line.length() <= length) {
                add(line);
              }
            });
    link();
  }

  private void add(String line) {
    var node = root;
    for (int i = 0; i < line.length(); i++) {
      node = node.next.computeIfAbsent(line.charAt(i), _ -> new Node());
    }
    node.line = line.length();
  }

  /** Finds the ends of all nodes, those of shorter ones first. */
  private void link() {
    var nodes = new ArrayDeque<Node>();
    nodes.add(root);
    for (var node = nodes.poll(); node != null; node = nodes.poll()) {
      for (var next : node.next.entrySet()) {
        var longer = next.getValue();
        longer.end = node == root ? root : node.end.after(next.getKey());
        longer.line = Math.max(longer.line, longer.end.line);
        nodes.add(longer);
      }
    }
  }

  /** The length of the longest line, also if it is longer than the text; 0 without lines. */
  int longest() {
    return longest;
  }

  /**
   * Looks for the lines in a text.
   *
   * @param found for each character of the text, the length of the longest secret that ends with
   *     it; raised where a line is longer
   */
  void in(String text, int[] found) {
    if (root.next.isEmpty()) {
      return;
    }
    var node = root;
    for (int i = 0; i < text.length(); i++) {
      node = node.after(text.charAt(i));
      found[i] = Math.max(found[i], node.line);
    }
  }
}
