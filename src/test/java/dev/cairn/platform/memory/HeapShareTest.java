package dev.cairn.platform.memory;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.platform.Configs;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What requests and answers may take of the heap together. */
class HeapShareTest {
  private static final long MIB = 1024 * 1024;
  private static final double MAX_PART = 0.8;

  /** The heaps of the manifests are among them: 70 or 80 % of 768 MiB. */
  @ParameterizedTest
  @ValueSource(longs = {512, 537, 614, 768, 1_024, 2_048, 8_192, 32_768})
  void all_rooms_leave_a_fifth_of_the_heap_when_they_are_full(long heapMib) {
    var rooms = Stream.of(HeapShare.values()).mapToLong(share -> share.bytesOf(heapMib * MIB));
    long all = LongStream.concat(rooms, LongStream.of(readsWithoutRoom())).sum();
    assertTrue(all < MAX_PART * heapMib * MIB, all / MIB + " MiB of a heap of " + heapMib + " MiB");
  }

  /** Those that have a short page or one entity: as many as have connections to the database. */
  private static long readsWithoutRoom() {
    int connections =
        Configs.of(Map.of("cairn.secret-key", Configs.SECRET_KEY)).database().poolSize();
    int reads = connections - connections / 4;
    return (long) reads * PageMemory.SHORT_PAGE_BYTES * PageMemory.COPIES_OF_PAGE;
  }
}
