package dev.cairn.client;

/**
 * An organization.
 *
 * @param name the name
 * @param displayName a name for people; null if absent
 * @param description the description; null if absent
 * @param role the caller's role ({@code viewer}, {@code editor}, {@code admin}, {@code owner});
 *     null for outsiders
 * @param personal whether it was created with an account; null for outsiders
 * @param archivedAt when it was archived, in milliseconds since 1970-01-01 UTC; null if it is not
 *     archived
 * @param createdAt when it was created, in milliseconds since 1970-01-01 UTC
 * @param usage the usage of its quotas; only if a single organization is shown to a member whose
 *     token has {@code org:read}, and {@code repo:read} for all of every repository; null if absent
 */
public record Organization(
    String name,
    @Nullable String displayName,
    @Nullable String description,
    @Nullable @Values({"viewer", "editor", "admin", "owner"}) String role,
    @Nullable Boolean personal,
    @Nullable Long archivedAt,
    long createdAt,
    @Nullable OrganizationUsage usage) {}
