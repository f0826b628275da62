package dev.cairn.access;

import java.util.UUID;

/**
 * The right to do something in one repository, as the {@link Authorizer} granted it. It cannot be
 * made anywhere else, which is how the services know that somebody asked.
 */
public final class RepositoryAccess {
  private final UUID repoId;
  private final String org;
  private final String repo;
  private final boolean archived;
  private final Caller caller;

  RepositoryAccess(UUID repoId, String org, String repo, boolean archived, Caller caller) {
    this.repoId = repoId;
    this.org = org;
    this.repo = repo;
    this.archived = archived;
    this.caller = caller;
  }

  /** The repository's id. */
  public UUID repoId() {
    return repoId;
  }

  /** The organization's name. */
  public String org() {
    return org;
  }

  /** The repository's name within the organization. */
  public String repo() {
    return repo;
  }

  /** Whether it, or its organization, is archived and takes no writes. */
  public boolean archived() {
    return archived;
  }

  /** Who was granted it. */
  public Caller caller() {
    return caller;
  }
}
