package dev.cairn.platform.page;

import com.fasterxml.jackson.annotation.JsonValue;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/**
 * One page of a list that is an array and nothing around it: only the header {@code Link} says
 * where the next page begins.
 */
@RegisterForReflection
public record BareList<T>(@JsonValue List<T> items, String nextCursor) implements Paged {
  /** The same page without its envelope. */
  public static <T> BareList<T> of(Page<T> page) {
    return new BareList<>(page.items(), page.nextCursor());
  }
}
