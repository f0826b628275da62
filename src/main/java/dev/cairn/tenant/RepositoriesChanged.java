package dev.cairn.tenant;

import java.util.UUID;

/**
 * Fired in the transaction that has changed names, visibility or archiving, for observers that
 * store what depends on them.
 *
 * @param repoId null if it is the organization that was changed
 */
public record RepositoriesChanged(UUID orgId, UUID repoId) {}
