package dev.cairn.subscription;

import dev.cairn.model.filter.OperationFilter;
import java.util.UUID;

/**
 * An active subscription as a commit sees it.
 *
 * @param repoId the repository that the subscription belongs to
 * @param org the name of that repository's organization
 * @param repo that repository's name
 * @param executorKind {@code webhook} or {@code sprite}
 * @param sourceRepoId the repository that it watches
 * @param target its {@link TargetName}
 * @param shapeId the shape that it watches
 */
public record Watcher(
    UUID repoId,
    UUID id,
    String org,
    String repo,
    String name,
    String executorKind,
    UUID sourceRepoId,
    boolean allowTraceReentry,
    String baseUrl,
    String target,
    OperationFilter filter,
    Long shapeId) {}
