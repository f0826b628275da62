package dev.cairn.client;

/**
 * A new organization.
 *
 * @param name the name, in lower case, without {@code ..}
 * @param displayName a name for people; null if absent
 * @param description the description; null if absent
 */
public record NewOrganization(
    String name, @Nullable String displayName, @Nullable String description) {}
