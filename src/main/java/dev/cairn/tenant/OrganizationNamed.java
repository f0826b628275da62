package dev.cairn.tenant;

import java.util.UUID;

/** Says, within the transaction, that an organization has a name, its first one or a new one. */
public record OrganizationNamed(UUID orgId, String name) {}
