package dev.cairn.tenant;

import java.util.UUID;

/**
 * Says, within the transaction, that names, visibility or archiving are about to change, before the
 * row of the repository is locked: a commit that is under way may still need that row, so an
 * observer that locks the heads of other repositories does so now.
 *
 * @param repoId null if it is the organization that changes
 */
public record RepositoriesChanging(UUID orgId, UUID repoId) {}
