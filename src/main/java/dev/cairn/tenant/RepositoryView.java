package dev.cairn.tenant;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;

/**
 * A repository as callers see it.
 *
 * @param settings null for a caller without a role that writes, and in lists
 * @param repoSeq the sequence number of its newest commit; 0 before the first one
 * @param archivedAt when it was archived; null while it takes writes
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RepositoryView(
    String orgName,
    String name,
    String description,
    String visibility,
    RepositorySettings settings,
    Long repoSeq,
    Instant archivedAt,
    Instant createdAt,
    Instant updatedAt) {}
