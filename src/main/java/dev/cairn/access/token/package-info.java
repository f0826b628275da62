/**
 * Tokens that are looked up by their hashes: personal access tokens, service tokens of sprites, and
 * tokens of installed components, with the scopes that narrow them. See {@code docs/access.md},
 * Personal access tokens.
 *
 * <p>It calls {@code session}, {@code audit}, {@code limit}, {@code access}, {@code platform} and
 * {@code model}. Start reading at {@link dev.cairn.access.token.PersonalAccessTokens}.
 */
package dev.cairn.access.token;
