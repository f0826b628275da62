package dev.cairn.component;

import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * The body that installs a component.
 *
 * @param component as {@code org/name}
 * @param version null for the newest
 * @param expectedManifestHash the hash of the manifest that is expected; null for any
 * @param dryRun whether it is only planned; null for false
 */
@RegisterForReflection
public record InstallRequest(
    String component, String version, String expectedManifestHash, Boolean dryRun) {

  boolean isDryRun() {
    return Boolean.TRUE.equals(dryRun);
  }
}
