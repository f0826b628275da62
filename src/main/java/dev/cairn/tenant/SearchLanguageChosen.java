package dev.cairn.tenant;

import java.util.UUID;

/**
 * Says, within the transaction, which language the settings of a repository name for its search.
 */
public record SearchLanguageChosen(UUID repoId, String language) {}
