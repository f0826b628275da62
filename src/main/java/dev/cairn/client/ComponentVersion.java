package dev.cairn.client;

/**
 * A version of a component.
 *
 * @param version the version
 * @param manifestHash the SHA-256 of the manifest's canonical JSON, in hexadecimal digits
 * @param createdAt when it was registered, in milliseconds since 1970-01-01 UTC
 */
public record ComponentVersion(String version, String manifestHash, long createdAt) {}
