package dev.cairn.tenant;

import java.util.UUID;

/** Fired in the transaction in which an organization gets its first name or a new one. */
public record OrganizationNamed(UUID orgId, String name) {}
