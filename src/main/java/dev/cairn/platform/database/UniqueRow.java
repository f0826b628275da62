package dev.cairn.platform.database;

import dev.cairn.model.Problem;
import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import java.util.function.Supplier;
import org.hibernate.exception.ConstraintViolationException;

/** Writes rows whose names must be unique. */
public final class UniqueRow {
  private UniqueRow() {}

  /**
   * Writes a row at once.
   *
   * @param taken the problem if the name is taken, also by a transaction that was faster
   */
  public static void persist(PanacheEntityBase row, Supplier<Problem> taken) {
    try {
      row.persistAndFlush();
    } catch (ConstraintViolationException _) {
      throw taken.get();
    }
  }
}
