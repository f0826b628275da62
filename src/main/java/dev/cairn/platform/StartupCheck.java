package dev.cairn.platform;

import java.util.List;

/**
 * Checks the settings of one part of the service; {@link StartupChecks} runs all of them at the
 * start.
 */
public interface StartupCheck {
  /** The faults of the settings: sentences that begin with the property and its variable. */
  List<String> faults();
}
