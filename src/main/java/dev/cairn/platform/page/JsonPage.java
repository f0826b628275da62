package dev.cairn.platform.page;

/**
 * One page of a list that was written as JSON already.
 *
 * @param json the whole answer
 * @param nextCursor as the answer says it; null at the end
 */
public record JsonPage(byte[] json, String nextCursor) implements Paged {}
