/**
 * A client for the HTTP API, for programs and for the CLI: {@code docs/client.md}. It is an
 * artifact of its own and needs the JDK's HTTP client and Jackson, nothing else of Cairn. Start
 * reading at {@code CairnClient}.
 */
package dev.cairn.client;
