package dev.cairn.content;

import dev.cairn.model.BuiltinShape;
import dev.cairn.platform.database.Columns;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The built-in shapes whose things are collections, for use in SQL conditions. */
public final class CollectionShapes {
  private static final List<BuiltinShape> ALL =
      Arrays.stream(BuiltinShape.values()).filter(BuiltinShape::isCollection).toList();

  /** Their ids, for use in {@code in (…)}. */
  public static final String IDS = joined(shape -> Long.toString(shape.id()));

  /** Their names, for use in {@code in (…)}. */
  public static final String NAMES = joined(shape -> "'" + shape.shapeName() + "'");

  private CollectionShapes() {}

  private static String joined(Function<BuiltinShape, String> text) {
    return ALL.stream().map(text).collect(Collectors.joining(", "));
  }

  /** Their ids as a parameter. */
  public static long[] ids() {
    return Columns.longs(ALL, BuiltinShape::id);
  }

  /** Their names as a parameter. */
  public static String[] names() {
    return Columns.strings(ALL, BuiltinShape::shapeName);
  }
}
