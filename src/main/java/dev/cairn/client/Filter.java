package dev.cairn.client;

import static com.fasterxml.jackson.annotation.JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY;
import static com.fasterxml.jackson.annotation.JsonFormat.Feature.WRITE_SINGLE_ELEM_ARRAYS_UNWRAPPED;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.util.List;

/**
 * Selects operations, which must match all members. {@code {}} matches every add and revise on the
 * shape. See {@code docs/subscriptions.md}, Filters.
 *
 * @param operation {@code add}, {@code revise}, {@code retract} or {@code rename}; {@code revise}
 *     names retracts, too; null if absent
 * @param kind {@code shape}, {@code thing}, {@code assertion} or {@code collection}; a collection
 *     is a thing, too; null if absent
 * @param shape names of shapes; null if absent
 * @param name wrefs or local names; null if absent
 * @param match globs over wrefs; null if absent
 * @param all filters, all of which must match; null if absent
 * @param any filters, one of which must match; null if absent
 * @param not a filter that must not match; null if absent
 */
public record Filter(
    @JsonFormat(with = {ACCEPT_SINGLE_VALUE_AS_ARRAY, WRITE_SINGLE_ELEM_ARRAYS_UNWRAPPED})
        @Nullable
        @Values({"add", "revise", "retract", "rename"})
        List<String> operation,
    @JsonFormat(with = {ACCEPT_SINGLE_VALUE_AS_ARRAY, WRITE_SINGLE_ELEM_ARRAYS_UNWRAPPED})
        @Nullable
        @Values({"shape", "thing", "assertion", "collection"})
        List<String> kind,
    @JsonFormat(with = {ACCEPT_SINGLE_VALUE_AS_ARRAY, WRITE_SINGLE_ELEM_ARRAYS_UNWRAPPED}) @Nullable
        List<String> shape,
    @JsonFormat(with = {ACCEPT_SINGLE_VALUE_AS_ARRAY, WRITE_SINGLE_ELEM_ARRAYS_UNWRAPPED}) @Nullable
        List<String> name,
    @JsonFormat(with = {ACCEPT_SINGLE_VALUE_AS_ARRAY, WRITE_SINGLE_ELEM_ARRAYS_UNWRAPPED}) @Nullable
        List<String> match,
    @Nullable List<Filter> all,
    @Nullable List<Filter> any,
    @Nullable Filter not) {
  /** Selects every operation of these kinds. */
  public static Filter ofOperations(String... operations) {
    return new Filter(List.of(operations), null, null, null, null, null, null, null);
  }
}
