package dev.cairn.subscription;

import java.util.UUID;

/**
 * A subscription was deleted, in the transaction that does. Its runs that wait end in the same
 * transaction, or right after it if there are many.
 *
 * @param repoId the repository that it belonged to
 */
public record SubscriptionDeleted(UUID repoId, UUID id) {}
