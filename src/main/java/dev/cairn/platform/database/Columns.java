package dev.cairn.platform.database;

import java.util.Collection;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/** Turns rows into columns: one array for each, as {@code unnest} takes them. */
public final class Columns {
  private Columns() {}

  public static <T> long[] longs(Collection<T> items, ToLongFunction<T> value) {
    return items.stream().mapToLong(value).toArray();
  }

  public static <T> int[] ints(Collection<T> items, ToIntFunction<T> value) {
    return items.stream().mapToInt(value).toArray();
  }

  /** Numbers, or null for some items. */
  public static <T> Long[] nullableLongs(Collection<T> items, Function<T, Long> value) {
    return items.stream().map(value).toArray(Long[]::new);
  }

  /** Numbers, or null for some items. */
  public static <T> Integer[] nullableInts(Collection<T> items, Function<T, Integer> value) {
    return items.stream().map(value).toArray(Integer[]::new);
  }

  public static <T> String[] strings(Collection<T> items, Function<T, String> value) {
    return items.stream().map(value).toArray(String[]::new);
  }

  public static <T> UUID[] uuids(Collection<T> items, Function<T, UUID> value) {
    return items.stream().map(value).toArray(UUID[]::new);
  }

  public static <T> byte[][] bytes(Collection<T> items, Function<T, byte[]> value) {
    return items.stream().map(value).toArray(byte[][]::new);
  }

  public static <T> Boolean[] booleans(Collection<T> items, Function<T, Boolean> value) {
    return items.stream().map(value).toArray(Boolean[]::new);
  }
}
