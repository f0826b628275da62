package dev.cairn.subscription;

import java.util.UUID;

/**
 * A subscription was deleted, in the transaction that does. Its runs that wait end in the same
 * transaction, or right after it if there are many.
 *
 * @param repoId the repository that it belonged to
 * @param callbackGeneration the generation of callbacks that were still accepted for its attempts
 */
public record SubscriptionDeleted(UUID repoId, UUID id, int callbackGeneration) {}
