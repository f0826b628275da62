package dev.cairn.subscription;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;
import java.util.List;

/**
 * A credential set as it is read: everything but its values.
 *
 * @param description null for none
 * @param keyNames in byte order
 * @param revokedAt null while it can be used
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CredentialSetView(
    String name,
    String description,
    List<String> keyNames,
    Instant createdAt,
    Instant updatedAt,
    Instant revokedAt) {}
