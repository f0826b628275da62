package dev.cairn.client;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The parameters of a read; immutable, each method returns a copy with one more.
 *
 * @param <S> the type of the query itself
 */
abstract class Parameters<S extends Parameters<S>> {
  /**
   * A parameter.
   *
   * @param repeated whether the query may have others of the same name
   */
  record Parameter(String name, String value, boolean repeated) {}

  private final List<Parameter> parameters;

  /** A query without parameters. */
  Parameters() {
    parameters = List.of();
  }

  /** A query with the parameters of another one and this one, which replaces others of its name. */
  Parameters(Parameters<S> others, Parameter added) {
    var all = new ArrayList<Parameter>();
    for (var other : others.parameters) {
      if (added.repeated() || !other.name().equals(added.name())) {
        all.add(other);
      }
    }
    all.add(added);
    parameters = List.copyOf(all);
  }

  /** The same query with one more parameter. */
  abstract S with(Parameter added);

  /** The same query with this value for a parameter. */
  S with(String name, Object value) {
    return with(new Parameter(name, value.toString(), false));
  }

  /** The same query with one more value for a parameter that can have several. */
  S and(String name, String value) {
    return with(new Parameter(name, value, true));
  }

  /** The same query for a page of a stream, unless the query says itself how many items it has. */
  S page(Paging paging) {
    var sized = has("limit") ? self() : limit(Pages.MAX_LIMIT);
    return paging.cursor() == null ? sized : sized.cursor(paging.cursor());
  }

  abstract S self();

  /** Passes on each parameter, in the order in which they were added. */
  void forEach(BiConsumer<String, String> action) {
    parameters.forEach(parameter -> action.accept(parameter.name(), parameter.value()));
  }

  /** Whether a parameter was added. */
  boolean has(String name) {
    return parameters.stream().anyMatch(parameter -> parameter.name().equals(name));
  }

  /** Only entities of this shape, named {@code Sensor} or {@code Shape/Sensor}. */
  public S shape(String shape) {
    return with("shape", shape);
  }

  /** The paths of the payload to show; without them, all of it is shown. */
  public S fields(List<String> paths) {
    return with("fields", String.join(",", paths));
  }

  /** The most items of a page, 1 to 500; a stream reads 500 at a time without it. */
  public S limit(int limit) {
    return with("limit", limit);
  }

  /** Where the next page begins, the {@code nextCursor} of the previous one. */
  public S cursor(String cursor) {
    return with("cursor", cursor);
  }
}
