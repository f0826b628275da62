/**
 * Secrets: sealing of values for the database, the command that seals them under a new key, and
 * HMAC.
 *
 * <p>It calls {@code platform} and {@code model}. Start reading at {@link
 * dev.cairn.platform.secret.SecretBox}.
 */
package dev.cairn.platform.secret;
