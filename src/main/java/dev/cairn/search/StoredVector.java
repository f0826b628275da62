package dev.cairn.search;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * A vector as it is stored: rotated, as bytes, with a signature of one bit for each of the first
 * dimensions.
 *
 * <p>The fixed random rotation keeps all angles and spreads each vector over all dimensions. So the
 * Hamming distance of two signatures estimates the angle, even between vectors that are mostly
 * zeros, and a byte for each dimension is exact enough.
 *
 * @param bytes the direction of the vector: its dimensions, scaled to the range of a byte; a power
 *     of two of them, and at least as many as the signature has bits
 */
record StoredVector(byte[] bytes) {
  /** The bits of a signature, which is as long for all vectors. */
  static final int SIGNATURE_BITS = 512;

  private static final int ROTATIONS = 2;

  /** Decides on the rotation; stored vectors depend on it. */
  private static final long SEED = 0x9e3779b97f4a7c15L;

  /** The vector of an embedder, of any number of dimensions. */
  static StoredVector of(float[] vector) {
    var rotated = rotated(vector);
    float max = 0;
    for (float x : rotated) {
      max = Math.max(max, Math.abs(x));
    }
    var bytes = new byte[rotated.length];
    for (int i = 0; max > 0 && i < bytes.length; i++) {
      bytes[i] = (byte) Math.round(rotated[i] / max * Byte.MAX_VALUE);
    }
    return new StoredVector(bytes);
  }

  /** Changes random signs, then applies a Hadamard transform; twice. */
  private static float[] rotated(float[] vector) {
    int dimensions = Math.max(SIGNATURE_BITS, Integer.highestOneBit(2 * vector.length - 1));
    var rotated = Arrays.copyOf(vector, dimensions);
    for (int round = 0; round < ROTATIONS; round++) {
      for (int i = 0; i < dimensions; i++) {
        if (SplitMix.mix(SEED * (round * dimensions + i + 1)) < 0) {
          rotated[i] = -rotated[i];
        }
      }
      transform(rotated);
    }
    return rotated;
  }

  /** The fast Walsh-Hadamard transform, without its constant factor. */
  private static void transform(float[] vector) {
    for (int half = 1; half < vector.length; half *= 2) {
      for (int i = 0; i < vector.length; i += 2 * half) {
        for (int j = i; j < i + half; j++) {
          float sum = vector[j] + vector[j + half];
          vector[j + half] = vector[j] - vector[j + half];
          vector[j] = sum;
        }
      }
    }
  }

  /** The signs of the first dimensions, as PostgreSQL reads a {@code bit(512)}. */
  String signature() {
    var signs = new byte[SIGNATURE_BITS / Byte.SIZE];
    for (int i = 0; i < SIGNATURE_BITS; i++) {
      if (bytes[i] >= 0) {
        signs[i / Byte.SIZE] |= (byte) (0x80 >> (i % Byte.SIZE));
      }
    }
    return "x" + HexFormat.of().formatHex(signs);
  }

  /** The cosine of the angle between two vectors; 0 if one of them has no direction. */
  double cosine(StoredVector other) {
    int product = 0;
    int square = 0;
    int otherSquare = 0;
    for (int i = 0; i < bytes.length; i++) {
      product += bytes[i] * other.bytes[i];
      square += bytes[i] * bytes[i];
      otherSquare += other.bytes[i] * other.bytes[i];
    }
    return square == 0 || otherSquare == 0
        ? 0
        : product / (Math.sqrt(square) * Math.sqrt(otherSquare));
  }

  /** Whether the vector has a direction; that of a text without words has none. */
  boolean hasDirection() {
    for (byte x : bytes) {
      if (x != 0) {
        return true;
      }
    }
    return false;
  }
}
