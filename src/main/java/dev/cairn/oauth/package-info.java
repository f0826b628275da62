/**
 * Cairn as its own OAuth 2.1 authorization server: clients, codes, grants, and the pages on which a
 * person signs in and agrees. The rules are in {@code docs/oauth.md}.
 *
 * <pre>
 *   authorize ── code (60 s, once) ──┐
 *                                    ├── token ── session ── refresh token, good once, and again …
 *   device ───── device code ────────┘               │
 *                                                    └── ends by revocation, or when a code or a
 *                                                        refresh token comes a second time
 * </pre>
 *
 * <p>Secrets are stored as SHA-256 only. None of it exists if an external issuer is configured.
 * Start reading at {@link dev.cairn.oauth.AuthorizeResource} and {@link
 * dev.cairn.oauth.OAuthResource}.
 */
package dev.cairn.oauth;
