package dev.cairn.platform.database;

import io.quarkus.flyway.FlywayConfigurationCustomizer;
import jakarta.inject.Singleton;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/**
 * Lets a replica that starts wait for the one that migrates as long as a start may take; Flyway's
 * own 50 s are less than a large table's index. See {@code docs/deploy.md}, Upgrades.
 */
@Singleton
class Migrations implements FlywayConfigurationCustomizer {
  /** One a second. */
  private static final int TRIES = 300;

  @Override
  public void customize(FluentConfiguration configuration) {
    configuration.lockRetryCount(TRIES);
  }
}
