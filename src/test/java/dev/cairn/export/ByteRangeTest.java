package dev.cairn.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9110, section 14: which part of 100 bytes a header asks for. */
class ByteRangeTest {
  @ParameterizedTest
  @CsvSource({
    "bytes=0-0, 0, 0",
    "bytes=0-, 0, 99",
    "bytes=99-, 99, 99",
    "bytes=10-19, 10, 19",
    "bytes=10-1000, 10, 99",
    "bytes=-5, 95, 99",
    "bytes=-100, 0, 99",
    "bytes=-1000, 0, 99",
    "BYTES= 3-4 , 3, 4"
  })
  void a_single_range_is_cut_to_the_content(String header, long first, long last) {
    assertEquals(Optional.of(new ByteRange(first, last)), ByteRange.parse(header, 100));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "bytes",
        "bytes=",
        "bytes=-",
        "bytes=a-b",
        "bytes=5-4",
        "bytes=1-2,4-5",
        "lines=1-2",
        "bytes=1-2-3",
        "bytes=99999999999999999999-",
        "bytes=+1-2"
      })
  void what_is_no_single_range_means_the_whole(String header) {
    assertEquals(Optional.empty(), ByteRange.parse(header, 100));
  }

  @Test
  void no_header_means_the_whole() {
    assertEquals(Optional.empty(), ByteRange.parse(null, 100));
  }

  @ParameterizedTest
  @CsvSource({
    "bytes=100-, 100",
    "bytes=100-200, 100",
    "bytes=-0, 100",
    "bytes=0-, 0",
    "bytes=-1, 0"
  })
  void a_range_without_a_byte_is_refused(String header, long size) {
    var problem = assertThrows(Problem.class, () -> ByteRange.parse(header, size));
    assertEquals(ErrorCode.RANGE_NOT_SATISFIABLE, problem.code());
  }
}
