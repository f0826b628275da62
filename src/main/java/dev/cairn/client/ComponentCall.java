package dev.cairn.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A call of a method.
 *
 * @param installRepo the repository, as {@code org/repo}
 * @param args the arguments by their names; null if absent
 */
public record ComponentCall(String installRepo, @Nullable JsonNode args) {}
