package dev.cairn.tenant;

import java.util.UUID;

/**
 * Says, within the transaction, what the settings of a repository are for its search.
 *
 * @param language the language of its words
 * @param vectors whether it has vectors
 */
public record SearchSettingsChosen(UUID repoId, String language, boolean vectors) {}
