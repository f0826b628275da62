package dev.cairn.subscription;

import java.util.UUID;

/**
 * Says, within the transaction, that a subscription is gone: its unfinished runs end in it, too.
 *
 * @param repoId the repository that it belonged to
 */
public record SubscriptionDeleted(UUID repoId, UUID id) {}
