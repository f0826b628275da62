package dev.cairn.client;

/**
 * A member or an invitation.
 *
 * @param email an e-mail address, in lower case
 * @param displayName the author's name in commits; null for an invitation
 * @param role a role in an organization ({@code viewer}, {@code editor}, {@code admin}, {@code
 *     owner}); each role includes the previous ones
 * @param pending present for an invitation of an address without an account; null if absent
 * @param createdAt when the membership or the invitation was created, in milliseconds since
 *     1970-01-01 UTC
 */
public record Member(
    String email,
    @Nullable String displayName,
    @Values({"viewer", "editor", "admin", "owner"}) String role,
    @Nullable Boolean pending,
    long createdAt) {}
