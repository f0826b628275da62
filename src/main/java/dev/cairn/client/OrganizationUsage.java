package dev.cairn.client;

/**
 * The usage of an organization's quotas, and of those of its repositories; see {@code
 * docs/limits.md}, Quotas.
 *
 * @param repositories repositories, including archived ones
 * @param members members, including invitations
 * @param subscriptions subscriptions of the repository that has the most
 * @param components registered components
 * @param bytes bytes stored in its repositories, exports, components, subscriptions and credential
 *     sets
 * @param exports exports, kept or being built, of the repository that has the most
 * @param exportBytes bytes of the kept exports of all its repositories; less than the limit may be
 *     allowed while others keep much
 */
public record OrganizationUsage(
    Usage repositories,
    Usage members,
    Usage subscriptions,
    Usage components,
    Usage bytes,
    Usage exports,
    Usage exportBytes) {}
