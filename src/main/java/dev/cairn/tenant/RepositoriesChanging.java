package dev.cairn.tenant;

import java.util.UUID;

/**
 * Fired in the transaction that is about to change names, visibility or archiving, before the row
 * of the repository is locked: a commit in progress may still need that row, so an observer that
 * locks the heads of other repositories must do so now.
 *
 * @param repoId null if it is the organization that changes
 */
public record RepositoriesChanging(UUID orgId, UUID repoId) {}
