package dev.cairn.client;

/**
 * An account.
 *
 * @param email an e-mail address, in lower case
 * @param displayName the author's name in commits
 */
public record Account(String email, String displayName) {}
