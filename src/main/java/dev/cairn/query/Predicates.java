package dev.cairn.query;

import dev.cairn.model.BuiltinShape;
import dev.cairn.model.Glob;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Conditions on the table {@code entity e}, with their parameters beside them in order. */
final class Predicates {
  /** Behind every name that begins with a prefix: no name holds this code point. */
  private static final String AFTER_ALL = Character.toString(Character.MAX_CODE_POINT);

  private final StringBuilder sql = new StringBuilder();
  private final List<Object> parameters = new ArrayList<>();

  Predicates(String first, Object... values) {
    sql.append("where ").append(first);
    parameters.addAll(Arrays.asList(values));
  }

  Predicates and(String condition, Object... values) {
    sql.append(" and ").append(condition);
    parameters.addAll(Arrays.asList(values));
    return this;
  }

  /** What a pattern matches: by index as far as its beginning is literal, by expression beyond. */
  Predicates matches(Glob glob) {
    glob.shapeName().ifPresent(shape -> and("e.shape_name = ?", shape));
    if (glob.exact().isPresent()) {
      var wref = glob.exact().get();
      return and("e.name = ?", wref.substring(wref.indexOf('/') + 1));
    }
    var prefix = glob.namePrefix();
    if (!prefix.isEmpty()) {
      and("e.name >= ? and e.name < ?", prefix, prefix + AFTER_ALL);
    }
    return and("e.shape_name || '/' || e.name ~ ?", glob.regex());
  }

  /** A kind as reads take it, where {@code collection} selects things under collection shapes. */
  Predicates kind(String kind) {
    if (!kind.equals("collection")) {
      return and("e.kind = ?", kind);
    }
    var shapes =
        Arrays.stream(BuiltinShape.values())
            .filter(BuiltinShape::isCollection)
            .map(BuiltinShape::shapeName)
            .toArray(String[]::new);
    return and("e.kind = 'thing' and e.shape_name = any (?)", (Object) shapes);
  }

  /** The text that goes behind {@code from}. */
  String sql() {
    return sql.toString();
  }

  /** The parameters, with those of what follows behind them. */
  Object[] parameters(Object... more) {
    var all = new ArrayList<>(parameters);
    all.addAll(Arrays.asList(more));
    return all.toArray();
  }
}
