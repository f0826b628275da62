package dev.cairn.search;

/** The finalizer of SplitMix64: each bit of the result depends on all bits of the input. */
final class SplitMix {
  private static final long FIRST = 0xbf58476d1ce4e5b9L;
  private static final long SECOND = 0x94d049bb133111ebL;

  private SplitMix() {}

  static long mix(long input) {
    long z = (input ^ (input >>> 30)) * FIRST;
    z = (z ^ (z >>> 27)) * SECOND;
    return z ^ (z >>> 31);
  }
}
