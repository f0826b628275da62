package dev.cairn.tenant;

import java.util.UUID;

/**
 * Fired in the transaction that is about to change names or archiving, before the row of the
 * repository is locked: a commit in progress may still need that row, so an observer that locks the
 * heads of other repositories must do so now.
 *
 * @param repoId null if it is the organization that changes
 * @param withOwnHead whether the head of the repository itself must be locked too, so that commits
 *     to it end first: all heads are locked at once, in one order
 */
public record RepositoriesChanging(UUID orgId, UUID repoId, boolean withOwnHead) {}
