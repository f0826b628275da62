/**
 * Sessions, which begin with a sign-in or a grant to an OAuth client, and their refresh tokens. The
 * tokens of a session are valid only while its row exists. See {@code docs/access.md}, Sessions.
 *
 * <p>It calls {@code audit}, {@code limit}, {@code access}, {@code platform} and {@code model}.
 * Start reading at {@link dev.cairn.access.session.Sessions}.
 */
package dev.cairn.access.session;
