package dev.cairn.oauth;

import java.util.UUID;

/** What an account agreed to for a client. */
record Grant(UUID id, UUID accountId, String clientId, Extent extent) {}
