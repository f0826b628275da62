/**
 * Calls to servers that are named in requests, all of them by one client with protection against
 * server-side request forgery (SSRF).
 *
 * <p>{@link dev.cairn.egress.EgressPolicy} checks which URLs may be called; {@link
 * dev.cairn.egress.EgressClient} calls them. The invariant: a name is resolved once for a call,
 * every address that it resolved to is vetted, and the socket connects to a vetted address and
 * never to a name. The rules are in {@code docs/egress.md}.
 */
package dev.cairn.egress;
