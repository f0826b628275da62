package dev.cairn.content.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** docs/streams.md, The transaction: what one statement changes. */
class ReferenceWriterTest {
  private static List<List<ReferenceWriter.Slice<StoredEdges>>> parts(List<StoredEdges> versions) {
    var parts = new ArrayList<List<ReferenceWriter.Slice<StoredEdges>>>();
    ReferenceWriter.inParts(versions, StoredEdges::max, part -> parts.add(List.copyOf(part)));
    return parts;
  }

  private static long count(ReferenceWriter.Slice<StoredEdges> slice) {
    return 1L + Math.min(slice.last(), slice.of().max() - 1) - slice.first();
  }

  @Test
  void a_statement_changes_at_most_50_000_references_whatever_they_belong_to() {
    var versions = new ArrayList<StoredEdges>();
    versions.add(new StoredEdges(1, 1, PayloadSize.MAX_BYTES));
    LongStream.range(2, 1_002).forEach(id -> versions.add(new StoredEdges(id, 1, 3_000)));
    versions.add(new StoredEdges(1_002, 1, 0));
    var parts = parts(versions);
    long all = 0;
    for (var part : parts) {
      long references = part.stream().mapToLong(ReferenceWriterTest::count).sum();
      assertTrue(references <= 50_000, references + " references");
      all += references;
    }
    assertEquals(versions.stream().mapToLong(StoredEdges::max).sum(), all);
    assertEquals((all + 49_999) / 50_000, parts.size());
  }

  @Test
  void each_reference_is_in_one_of_them() {
    var parts = parts(List.of(new StoredEdges(7, 1, 600_000), new StoredEdges(8, 1, 12)));
    assertEquals(
        List.of(
            "7: 0 to 49999",
            "7: 50000 to 99999",
            "7: 100000 to " + Integer.MAX_VALUE,
            "8: 0 to " + Integer.MAX_VALUE),
        parts.stream()
            .flatMap(List::stream)
            .map(slice -> slice.of().id() + ": " + slice.first() + " to " + slice.last())
            .toList());
  }
}
