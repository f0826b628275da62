/**
 * The one way out: every call to a server that somebody names in a request goes through here.
 *
 * <p>{@link dev.cairn.egress.EgressPolicy} says which URLs may be called; {@link
 * dev.cairn.egress.EgressClient} calls them. The invariant: a name is resolved once for a call,
 * every address that it resolved to is vetted, and the socket connects to a vetted address and
 * never to a name. The rules are in {@code docs/egress.md}.
 */
package dev.cairn.egress;
