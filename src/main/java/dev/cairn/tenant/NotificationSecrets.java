package dev.cairn.tenant;

import java.util.UUID;

/**
 * Says, within the transaction and before it is done, that a repository's notifications are to be
 * sent with a credential set. Who keeps these refuses one that cannot be used.
 *
 * @param pointer where the request's body says so: the object with {@code credentialSetName}
 */
public record NotificationSecrets(UUID repoId, String credentialSetName, String pointer) {}
