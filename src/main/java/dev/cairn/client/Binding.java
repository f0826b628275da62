package dev.cairn.client;

/**
 * The credential set to bind.
 *
 * @param credentialSetName a credential set's name
 */
public record Binding(String credentialSetName) {}
