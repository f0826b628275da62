package dev.cairn.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What changes of the command; null removes a member.
 *
 * @param command the shell command; null if absent
 * @param inputMode how the command gets its input ({@code stdin}, {@code json-file}, {@code env});
 *     null if absent
 * @param gitRepo the repository to clone, {@code owner/repo}, or {@code none}; null leaves it, a
 *     JSON null removes it
 * @param ref what to check out; required to clone a repository. A branch, tag or commit: at most
 *     255 letters, digits, {@code .}, {@code _}, {@code /}, {@code +}, {@code @} or {@code -}, the
 *     first one a letter or digit, and no {@code ..}; null leaves it, a JSON null removes it
 * @param spriteName a name for the execution environment. A letter or digit followed by at most 62
 *     letters, digits, {@code .}, {@code _} or {@code -}; null leaves it, a JSON null removes it
 * @param inputPath the file of {@code json-file}. At most 256 letters, digits, {@code .}, {@code
 *     _}, {@code -} or {@code /}, and no {@code ..}; null leaves it, a JSON null removes it
 * @param spritePool a pool of execution environments. At most 100 letters, digits, {@code .},
 *     {@code _} or {@code -}; null leaves it, a JSON null removes it
 * @param tokenTtlMinutes how long its token is valid; by default 10; null leaves it, a JSON null
 *     removes it
 */
public record SpriteConfigChange(
    @Nullable String command,
    @Nullable @Values({"stdin", "json-file", "env"}) String inputMode,
    @Nullable JsonNode gitRepo,
    @Nullable JsonNode ref,
    @Nullable JsonNode spriteName,
    @Nullable JsonNode inputPath,
    @Nullable JsonNode spritePool,
    @Nullable JsonNode tokenTtlMinutes) {}
