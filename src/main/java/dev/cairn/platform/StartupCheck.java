package dev.cairn.platform;

import java.util.List;

/**
 * A capability's check of its own settings; {@link StartupChecks} runs all of them at the start.
 */
public interface StartupCheck {
  /** What is wrong, each a sentence that begins with the property and its variable. */
  List<String> faults();
}
