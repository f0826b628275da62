package dev.cairn.tenant;

import java.util.UUID;

/**
 * Says, within the transaction, that names, visibility or archiving have changed, for who keeps
 * something that follows from them.
 *
 * @param repoId null if it is the organization that was changed
 */
public record RepositoriesChanged(UUID orgId, UUID repoId) {}
