package dev.cairn.access;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/**
 * An entry of a token's scopes, as in JSON.
 *
 * @param resource {@code org/repo}, {@code org}, or null for everything
 * @param permissions names such as {@code repo:read}
 * @param allowedMatches patterns of wrefs; null for no restriction, empty to deny all
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ScopeEntry(String resource, List<String> permissions, List<String> allowedMatches) {}
