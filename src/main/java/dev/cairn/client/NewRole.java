package dev.cairn.client;

/**
 * The new role.
 *
 * @param role a role in an organization ({@code viewer}, {@code editor}, {@code admin}, {@code
 *     owner}); each role includes the previous ones
 */
public record NewRole(@Values({"viewer", "editor", "admin", "owner"}) String role) {}
