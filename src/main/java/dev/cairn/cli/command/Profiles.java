package dev.cairn.cli.command;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The profiles of a user.
 *
 * @param current the name of the profile in use
 * @param byName the profiles
 */
public record Profiles(String current, Map<String, Profile> byName) {
  /** The profile in use if none was chosen. */
  public static final String DEFAULT = "default";

  /** No profile yet. */
  static final Profiles NONE = new Profiles(DEFAULT, Map.of());

  /** Sorted by name. */
  public Profiles {
    byName = Collections.unmodifiableMap(new TreeMap<>(byName));
  }

  /**
   * A profile.
   *
   * @return null if there is none of this name
   */
  public Profile get(String name) {
    return byName.get(name);
  }

  /**
   * A profile that must exist.
   *
   * @throws CommandFailure if there is none of this name
   */
  public Profile require(String name) {
    var profile = get(name);
    if (profile == null) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "There is no profile '%s'.".formatted(name),
          "cairn profile list",
          "cairn login --profile %s --server <url>".formatted(name));
    }
    return profile;
  }

  /** The same with a profile, new or in place of the one of this name. */
  public Profiles with(String name, Profile profile) {
    var changed = new TreeMap<>(byName);
    changed.put(name, profile);
    return new Profiles(current, changed);
  }

  /** The same without a profile; the default one is in use if it was this one. */
  public Profiles without(String name) {
    var changed = new TreeMap<>(byName);
    changed.remove(name);
    return new Profiles(current.equals(name) ? DEFAULT : current, changed);
  }

  /** The same with another profile in use. */
  public Profiles using(String name) {
    return new Profiles(name, byName);
  }
}
