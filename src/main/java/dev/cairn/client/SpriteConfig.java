package dev.cairn.client;

/**
 * The command of a sprite, see {@code docs/subscriptions.md}, Sprites.
 *
 * @param command the shell command
 * @param inputMode how the command gets its input ({@code stdin}, {@code json-file}, {@code env})
 * @param gitRepo the repository to clone, {@code owner/repo}, or {@code none}; null if absent
 * @param ref what to check out; required to clone a repository; null if absent
 * @param spriteName a name for the execution environment; null if absent
 * @param inputPath the file of {@code json-file}; null if absent
 * @param spritePool a pool of execution environments; null if absent
 * @param tokenTtlMinutes how long its token is valid; by default 10; null if absent
 */
public record SpriteConfig(
    String command,
    @Values({"stdin", "json-file", "env"}) String inputMode,
    @Nullable String gitRepo,
    @Nullable String ref,
    @Nullable String spriteName,
    @Nullable String inputPath,
    @Nullable String spritePool,
    @Nullable Integer tokenTtlMinutes) {}
