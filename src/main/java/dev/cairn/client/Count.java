package dev.cairn.client;

import java.util.List;

/**
 * A number of entities.
 *
 * @param count the number
 * @param warnings why the answer is empty, if a filter names something that does not exist; null if
 *     absent
 */
public record Count(long count, @Nullable List<String> warnings) {}
