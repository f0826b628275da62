package dev.cairn.client;

/**
 * The usage of a quota.
 *
 * @param used the amount that is used
 * @param limit the quota; null if there is none
 */
public record Usage(long used, @Nullable Long limit) {}
