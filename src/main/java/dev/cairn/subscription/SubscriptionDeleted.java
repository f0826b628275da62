package dev.cairn.subscription;

import java.util.UUID;

/**
 * Says, within the transaction, that a subscription is gone: its runs that wait end in it, too, or
 * right behind it where there are many.
 *
 * @param repoId the repository that it belonged to
 */
public record SubscriptionDeleted(UUID repoId, UUID id) {}
