package dev.cairn.client;

import java.util.List;

/**
 * Several entities and the assertions about each of them, at one moment.
 *
 * @param items the entities in the order of the request
 * @param missing the wrefs that were not found
 * @param repoSeq the sequence number of the state that is shown
 */
public record AboutManyAnswer(List<AboutItem> items, List<String> missing, long repoSeq) {}
