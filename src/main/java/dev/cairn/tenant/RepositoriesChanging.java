package dev.cairn.tenant;

import java.util.UUID;

/**
 * Says, within the transaction, that names, visibility or archiving are about to change, before the
 * row of the repository is locked: a commit that is under way may still need that row, so whoever
 * locks the heads of other repositories does so first.
 *
 * @param repoId null where it is the organization that changes
 */
public record RepositoriesChanging(UUID orgId, UUID repoId) {}
