package dev.cairn.platform.database;

import io.quarkus.flyway.FlywayConfigurationCustomizer;
import jakarta.inject.Singleton;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/**
 * Lets a starting replica wait for a replica that migrates, for as long as a start may take:
 * Flyway's default of 50 s is too short for an index of a large table. See {@code docs/deploy.md},
 * Upgrades.
 */
@Singleton
class Migrations implements FlywayConfigurationCustomizer {
  /** The number of attempts, one each second. */
  private static final int TRIES = 300;

  @Override
  public void customize(FluentConfiguration configuration) {
    configuration.lockRetryCount(TRIES);
  }
}
