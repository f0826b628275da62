package dev.cairn.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** docs/streams.md, The transaction: what one statement writes. */
class StoredTextsTest {
  private static List<Integer> sizes(int rows, String text) {
    var sizes = new ArrayList<Integer>();
    StoredTexts.inParts(
        IntStream.range(0, rows).boxed().toList(),
        _ -> text,
        (row, _) -> row,
        part -> sizes.add(part.size()),
        () -> {});
    return sizes;
  }

  @Test
  void a_statement_writes_at_most_2_000_rows_also_if_their_payloads_stay_as_they_are() {
    assertEquals(List.of(2_000, 2_000, 1_000), sizes(5_000, null));
    assertEquals(List.of(2_000), sizes(2_000, "{}"));
  }

  @Test
  void a_statement_ends_with_the_row_that_reaches_1_mib() {
    assertEquals(List.of(3, 3, 1), sizes(7, "x".repeat(400_000)));
  }
}
