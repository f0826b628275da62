package dev.cairn.tenant;

import java.util.UUID;

/** Says, within the transaction and before it is done, that a repository is deleted. */
public record RepositoryDeleted(UUID repoId) {}
