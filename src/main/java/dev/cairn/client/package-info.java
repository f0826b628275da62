/**
 * A client for the HTTP API, for programs and for the CLI: {@code docs/client.md}. It is an
 * artifact of its own and needs the JDK's HTTP client and Jackson, nothing else of Cairn. Start
 * reading at {@link dev.cairn.client.CairnClient}.
 *
 * <p>The records have the names and members of the schemas of the OpenAPI document, which a test
 * compares. A member that is marked with {@link dev.cairn.client.Nullable} is null if it is absent;
 * members that are not known are ignored, because a newer service may have them. Times are
 * milliseconds since 1970-01-01 UTC.
 */
package dev.cairn.client;
