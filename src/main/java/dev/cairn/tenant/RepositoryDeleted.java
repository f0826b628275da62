package dev.cairn.tenant;

import java.util.UUID;

/** Fired in the transaction that deletes a repository, before it is deleted. */
public record RepositoryDeleted(UUID repoId) {}
