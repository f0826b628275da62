package dev.cairn.client;

/**
 * A new repository.
 *
 * @param name the name, in lower case, without {@code ..}
 * @param description the description; null if absent
 * @param visibility private by default ({@code private}, {@code public}); null if absent
 */
public record NewRepository(
    String name,
    @Nullable String description,
    @Nullable @Values({"private", "public"}) String visibility) {}
