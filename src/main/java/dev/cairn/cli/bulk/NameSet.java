package dev.cairn.cli.bulk;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/**
 * The names that were seen so far, as hashes of 64 bits: 16 to 32 bytes for each. Two of a million
 * names have the same hash once in forty million times.
 */
final class NameSet {
  private static final int BEGIN = 1 << 12;

  private long[] table = new long[BEGIN];
  private int size;

  /** Adds a name; false if it was there. */
  boolean add(String name) {
    if (2 * (size + 1) > table.length) {
      grow();
    }
    return insert(hash(name));
  }

  boolean contains(String name) {
    long hash = hash(name);
    int at = slot(hash);
    return table[at] == hash;
  }

  private boolean insert(long hash) {
    int at = slot(hash);
    if (table[at] == hash) {
      return false;
    }
    table[at] = hash;
    size++;
    return true;
  }

  /** Where a hash is, or may be put. */
  private int slot(long hash) {
    int mask = table.length - 1;
    int at = (int) (hash >>> 32) & mask;
    while (table[at] != 0 && table[at] != hash) {
      at = (at + 1) & mask;
    }
    return at;
  }

  private void grow() {
    var old = table;
    table = new long[2 * old.length];
    size = 0;
    Arrays.stream(old).filter(hash -> hash != 0).forEach(this::insert);
  }

  /** FNV-1a with a last mix, and never 0, which is an empty slot. */
  private static long hash(String name) {
    long hash = 0xcbf29ce484222325L;
    for (byte b : name.getBytes(UTF_8)) {
      hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
    }
    hash = (hash ^ (hash >>> 32)) * 0xd6e8feb86659fd93L;
    hash ^= hash >>> 32;
    return hash == 0 ? 1 : hash;
  }
}
