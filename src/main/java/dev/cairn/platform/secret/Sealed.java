package dev.cairn.platform.secret;

/** A table with values that the {@link SecretBox} has sealed, for {@link ResealCommand}. */
public interface Sealed {
  /** The name of the values for the operator, in the plural. */
  String what();

  /**
   * Seals with the present key all values that another key has sealed. It does not overwrite values
   * that were written meanwhile.
   *
   * @return how many values could be read and how many not
   */
  Resealed reseal();

  /**
   * The result of resealing.
   *
   * @param resealed the number of values that were resealed with the present key
   * @param unreadable the number of values that were altered or are sealed with a key that is not
   *     configured; they are left as they are
   */
  record Resealed(int resealed, int unreadable) {}
}
