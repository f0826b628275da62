package dev.cairn.tenant;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;

/**
 * An organization as callers see it.
 *
 * @param role the caller's role in it; null for an outsider
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
    Instant createdAt) {}
