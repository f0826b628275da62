package dev.cairn.subscription;

import com.cronutils.model.Cron;
import com.cronutils.model.field.CronFieldName;
import com.cronutils.model.field.expression.Always;
import com.cronutils.model.field.expression.And;
import com.cronutils.model.field.expression.Between;
import com.cronutils.model.field.expression.Every;
import com.cronutils.model.field.expression.FieldExpression;
import com.cronutils.model.field.expression.On;
import com.cronutils.model.field.value.FieldValue;
import java.util.BitSet;

/** The values that a field of a cron expression matches. */
final class CronValues {
  private CronValues() {}

  /** The values of a field, whose {@code *} is from {@code min} to {@code max}. */
  static BitSet of(Cron cron, CronFieldName field, int min, int max) {
    return of(cron.retrieve(field).getExpression(), min, max);
  }

  private static BitSet of(FieldExpression expression, int min, int max) {
    return switch (expression) {
      case Always _ -> range(min, max, 1);
      case On on -> range(value(on.getTime()), value(on.getTime()), 1);
      case Between between -> range(value(between.getFrom()), value(between.getTo()), 1);
      case Every every -> every(every, min, max);
      case And and -> all(and, min, max);
      default -> throw new IllegalArgumentException("The expression is not understood.");
    };
  }

  /** A step from a single value continues to the end of the field. */
  private static BitSet every(Every every, int min, int max) {
    int step = value(every.getPeriod());
    return switch (every.getExpression()) {
      case On on -> range(value(on.getTime()), max, step);
      case Between between -> range(value(between.getFrom()), value(between.getTo()), step);
      default -> range(min, max, step);
    };
  }

  private static BitSet all(And and, int min, int max) {
    var values = new BitSet();
    and.getExpressions().forEach(part -> values.or(of(part, min, max)));
    return values;
  }

  private static BitSet range(int from, int to, int step) {
    var values = new BitSet();
    for (int value = from; value <= to; value += step) {
      values.set(value);
    }
    return values;
  }

  private static int value(FieldValue<?> value) {
    return (Integer) value.getValue();
  }
}
