package dev.cairn.client;

/**
 * A session of an account, see {@code docs/access.md}, Sessions.
 *
 * @param id the session; the claim {@code sid} of its access tokens
 * @param kind how it began
 * @param client the OAuth client of a grant; null if absent
 * @param clientName the name of a registered client; null if absent
 * @param scope the permissions of a grant, separated by spaces; null for no restriction
 * @param address the network address from which it was started
 * @param createdAt when it began
 * @param renewedAt when its tokens were last renewed
 * @param expiresAt when it ends unless it is renewed
 * @param current present for the caller's own session; null if absent
 */
public record Session(
    String id,
    @Values({"sign-in", "browser", "grant"}) String kind,
    @Nullable String client,
    @Nullable String clientName,
    @Nullable String scope,
    String address,
    long createdAt,
    long renewedAt,
    long expiresAt,
    @Nullable Boolean current) {}
