package dev.cairn.tenant;

import java.util.UUID;

/** Says, within the transaction, that somebody is no member any more. */
public record MembershipEnded(UUID orgId) {}
