package dev.cairn.tenant;

import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * What is to change in a repository; null leaves a field as it is.
 *
 * @param settings merged into the present ones, member by member
 */
@RegisterForReflection
public record RepositoryChange(
    String name,
    String description,
    String visibility,
    Boolean archived,
    RepositorySettings settings) {

  /** Whether it touches what takes {@code repo:configure}. */
  boolean configures() {
    return description != null || settings != null;
  }

  /** Whether it touches what takes {@code repo:admin}. */
  boolean administers() {
    return name != null || visibility != null || archived != null;
  }
}
