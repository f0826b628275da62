package dev.cairn.client;

/**
 * A repository.
 *
 * @param orgName the organization
 * @param name the name
 * @param description the description; null if absent
 * @param visibility whether only the organization's members or everybody may read it ({@code
 *     private}, {@code public})
 * @param settings the settings; only for editors and above, and not in lists; null if absent
 * @param repoSeq the sequence number of its newest commit; 0 before the first one
 * @param archivedAt when it was archived, in milliseconds since 1970-01-01 UTC; null if it is not
 *     archived
 * @param createdAt when it was created, in milliseconds since 1970-01-01 UTC
 * @param updatedAt when it was last changed, in milliseconds since 1970-01-01 UTC
 */
public record Repository(
    String orgName,
    String name,
    @Nullable String description,
    @Values({"private", "public"}) String visibility,
    @Nullable RepositorySettings settings,
    long repoSeq,
    @Nullable Long archivedAt,
    long createdAt,
    long updatedAt) {}
