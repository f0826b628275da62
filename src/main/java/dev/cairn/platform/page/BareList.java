package dev.cairn.platform.page;

import com.fasterxml.jackson.annotation.JsonValue;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/**
 * One page of a list as a JSON array without an envelope: the next page is only in the header
 * {@code Link}.
 */
@RegisterForReflection
public record BareList<T>(@JsonValue List<T> items, String nextCursor) implements Paged {
  /** The same page without its envelope. */
  public static <T> BareList<T> of(Page<T> page) {
    return new BareList<>(page.items(), page.nextCursor());
  }
}
