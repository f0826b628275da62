package dev.cairn.platform;

import io.smallrye.config.WithDefault;

/**
 * How much may be stored: the settings below {@code cairn.quotas}. {@code 0} switches a quota off.
 * See {@code docs/limits.md}, Quotas.
 */
public interface QuotasConfig {
  /** Organizations that an account may create. */
  @WithDefault("20")
  int organizationsPerAccount();

  /**
   * Personal access tokens that an account keeps. Beyond it, the one that ended first, more than a
   * day ago, is deleted for a new one.
   */
  @WithDefault("1000")
  int tokensPerAccount();

  /** Repositories of an organization, archived ones included. */
  @WithDefault("500")
  int repositoriesPerOrganization();

  /** Members of an organization, invited ones included. */
  @WithDefault("1000")
  int membersPerOrganization();

  /** Subscriptions of a repository, paused ones included. */
  @WithDefault("1000")
  int subscriptionsPerRepository();

  /** Components that an organization has registered. */
  @WithDefault("200")
  int componentsPerOrganization();

  /**
   * Bytes that an organization may store in all of its repositories. `10737418240` (10 GiB) with
   * the embedded PostgreSQL.
   */
  @WithDefault("0")
  long bytesPerOrganization();

  /** Exports of a repository that may be built for an account at the same time. */
  @WithDefault("1")
  int exportsBuildingPerAccount();

  /** Exports of a repository that are kept, those that are still built included. */
  @WithDefault("3")
  int exportsPerRepository();

  /** Bytes of all exports that are kept, of every repository together. */
  @WithDefault("21474836480")
  long exportBytes();

  /**
   * Bytes of the exports that are kept of one organization, and of those that one account asked
   * for: a part of `export-bytes`, so that nobody takes all of it. It is less, half of what the
   * exports of others leave of `export-bytes`, once others have much. `0` switches both off.
   */
  @WithDefault("5368709120")
  long exportBytesShare();

  /**
   * OAuth clients of the whole service that registered themselves and got no token yet. Beyond it,
   * the oldest one is deleted for a new one if it is more than an hour old; otherwise one of the
   * network with the most, for another network.
   */
  @WithDefault("10000")
  int unusedClients();

  /**
   * Devices of the whole service that wait to be connected by OAuth; expired and denied ones count
   * until they are deleted, which happens at once if the quota is full. Then the network with the
   * most loses one to another network.
   */
  @WithDefault("10000")
  int pendingDevices();
}
