package dev.cairn.client;

import java.util.List;

/**
 * A part of a text in the data.
 *
 * @param pointer the RFC 6901 pointer to the text in {@code data}
 * @param text the part of the text
 * @param ranges the words that were found: the positions of the first character and after the last
 *     one, in Unicode code points
 */
public record Snippet(String pointer, String text, List<List<Integer>> ranges) {}
