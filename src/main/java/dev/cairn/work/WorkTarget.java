package dev.cairn.work;

import java.util.UUID;

/**
 * What work calls or uses, in a repository.
 *
 * @param tenantId whose work it is: for repository work the account that created the repository's
 *     organization, or the organization itself if that account was deleted
 * @param repoId the repository; the tenant again if all of its work is one target
 * @param name the host that is called, optionally followed by {@code #} and what is called there
 * @param executor the key of {@link WorkKind#slots}
 */
public record WorkTarget(UUID tenantId, UUID repoId, String name, String executor) {
  /** All work of a tenant by an executor, whichever repository it belongs to. */
  public static WorkTarget ofTenant(UUID tenantId, String executor) {
    return new WorkTarget(tenantId, tenantId, executor, executor);
  }

  /** The part of the name that limits of concurrency for a host apply to. */
  String host() {
    int end = name.indexOf('#');
    return end < 0 ? name : name.substring(0, end);
  }
}
