package dev.cairn.egress;

import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.StartupCheck;
import jakarta.inject.Singleton;
import java.util.List;

/** Stops the start when {@code cairn.egress.allow} has an entry that means nothing. */
@Singleton
final class EgressSettings implements StartupCheck {
  private final CairnConfig config;

  EgressSettings(CairnConfig config) {
    this.config = config;
  }

  @Override
  public List<String> faults() {
    try {
      AllowList.parse(config.egress().allow().orElse(List.of()));
      return List.of();
    } catch (IllegalArgumentException e) {
      return List.of("cairn.egress.allow (CAIRN_EGRESS_ALLOW): " + e.getMessage() + ".");
    }
  }
}
