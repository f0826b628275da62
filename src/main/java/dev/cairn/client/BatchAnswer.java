package dev.cairn.client;

import java.util.List;

/**
 * The entities that were found, and the wrefs that were not.
 *
 * @param items the entities in the order of the request, duplicates included
 * @param missing the wrefs that were not found
 */
public record BatchAnswer(List<Thing> items, List<String> missing) {}
