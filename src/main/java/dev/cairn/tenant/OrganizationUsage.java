package dev.cairn.tenant;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.cairn.access.limit.Quotas.Usage;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * How much an organization uses of its quotas, and of those of its repositories.
 *
 * @param members invited ones included
 * @param subscriptions of the repository that has the most
 * @param components registered ones
 * @param bytes stored in its repositories, exports, components, subscriptions and credential sets
 * @param exports kept or being built, of the repository that has the most
 * @param exportBytes stored in the kept exports of all its repositories; the limit is the setting,
 *     although less may be allowed while others keep much
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record OrganizationUsage(
    Usage repositories,
    Usage members,
    Usage subscriptions,
    Usage components,
    Usage bytes,
    Usage exports,
    Usage exportBytes) {}
