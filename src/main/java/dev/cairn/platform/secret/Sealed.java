package dev.cairn.platform.secret;

/** A table with values that the {@link SecretBox} has sealed, for {@link ResealCommand}. */
public interface Sealed {
  /** What an operator would call the values, in the plural. */
  String what();

  /**
   * Seals under the present key what another one has sealed. It overwrites nothing that was written
   * meanwhile.
   *
   * @return how many values could be read and how many not
   */
  Resealed reseal();

  /**
   * What came of it.
   *
   * @param resealed now under the present key
   * @param unreadable under a key that is not configured, or altered: left as they are
   */
  record Resealed(int resealed, int unreadable) {}
}
