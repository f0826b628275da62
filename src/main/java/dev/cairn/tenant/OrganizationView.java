package dev.cairn.tenant;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;

/**
 * An organization as callers see it.
 *
 * @param role the caller's role in it; null for an outsider
 * @param usage how much of its quotas is used; null for an outsider, in lists and after changes
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record OrganizationView(
    String name,
    String displayName,
    String description,
    String role,
    Boolean personal,
    Instant archivedAt,
    Instant createdAt,
    OrganizationUsage usage) {

  OrganizationView with(OrganizationUsage present) {
    return new OrganizationView(
        name, displayName, description, role, personal, archivedAt, createdAt, present);
  }
}
