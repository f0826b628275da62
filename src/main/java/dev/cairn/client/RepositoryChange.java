package dev.cairn.client;

/**
 * The changes; members that are left out stay.
 *
 * @param name the new name; the former name then no longer works; null if absent
 * @param description the description; null if absent
 * @param visibility whether only the organization's members or everybody may read it ({@code
 *     private}, {@code public}); null if absent
 * @param archived whether it is archived and accepts no writes; null if absent
 * @param settings merged into the current settings, member by member; {@code null} removes one;
 *     null if absent
 */
public record RepositoryChange(
    @Nullable String name,
    @Nullable String description,
    @Nullable @Values({"private", "public"}) String visibility,
    @Nullable Boolean archived,
    @Nullable RepositorySettingsChange settings) {}
