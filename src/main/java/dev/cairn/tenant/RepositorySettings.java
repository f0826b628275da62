package dev.cairn.tenant;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * What a repository has switched on.
 *
 * @param streams null where nothing was said
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RepositorySettings(Streams streams) {

  /** Streaming submissions; off unless {@code enabled} is true. */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Streams(Boolean enabled) {}

  /** These settings with those members of {@code change} that are given. */
  RepositorySettings with(RepositorySettings change) {
    boolean given = change.streams() != null && change.streams().enabled() != null;
    return given ? change : this;
  }
}
