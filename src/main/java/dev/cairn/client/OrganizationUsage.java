package dev.cairn.client;

/**
 * The usage of an organization's quotas; see {@code docs/limits.md}, Quotas.
 *
 * @param repositories repositories, including archived ones
 * @param members members, including invitations
 * @param bytes bytes stored in its repositories, exports, subscriptions and credential sets
 */
public record OrganizationUsage(Usage repositories, Usage members, Usage bytes) {}
