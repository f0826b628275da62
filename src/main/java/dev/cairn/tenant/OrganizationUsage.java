package dev.cairn.tenant;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.cairn.access.limit.Quotas.Usage;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * How much an organization uses of its quotas.
 *
 * @param members invited ones included
 * @param bytes stored in its repositories, exports, components and credential sets
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record OrganizationUsage(Usage repositories, Usage members, Usage bytes) {}
