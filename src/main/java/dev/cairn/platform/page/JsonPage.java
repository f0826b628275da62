package dev.cairn.platform.page;

/**
 * One page of a list that is already written as JSON.
 *
 * @param json the whole answer
 * @param nextCursor the cursor in the answer; null at the end
 */
public record JsonPage(byte[] json, String nextCursor) implements Paged {}
