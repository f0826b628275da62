package dev.cairn.tenant;

import java.util.UUID;

/** Fired in the transaction that ends a membership. */
public record MembershipEnded(UUID orgId) {}
