package dev.cairn.client;

/**
 * The changes; members that are left out stay.
 *
 * @param name the new name; the former name then no longer works; null if absent
 * @param displayName a name for people; null if absent
 * @param description the description; null if absent
 * @param archived whether it is archived and accepts no writes; null if absent
 */
public record OrganizationChange(
    @Nullable String name,
    @Nullable String displayName,
    @Nullable String description,
    @Nullable Boolean archived) {}
