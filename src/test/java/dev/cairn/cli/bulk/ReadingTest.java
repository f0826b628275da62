package dev.cairn.cli.bulk;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadingTest {
  @TempDir Path directory;

  private Path file(String name, String content) throws IOException {
    return Files.write(directory.resolve(name), content.getBytes(UTF_8));
  }

  private static Source source(Path... files) throws IOException {
    return Source.of(List.of(files), null, InputStream.nullInputStream());
  }

  private static List<String> read(Source source) throws IOException {
    List<String> read = new ArrayList<>();
    try (var input = source.open(new AtomicLong())) {
      for (var item = input.next(); item != null; item = input.next()) {
        var what = item.isFaulty() ? item.fault() : item.object().toString();
        read.add(input.file() + ":" + item.line() + ":" + what);
      }
    }
    return read;
  }

  private List<String> read(String name, String content) throws IOException {
    return read(source(file(name, content)));
  }

  @Test
  void ndjson_is_read_line_by_line_and_empty_lines_are_counted() throws IOException {
    assertEquals(
        List.of("0:1:{\"a\":1}", "0:4:{\"a\":2}"), read("a", "{\"a\":1}\n\n  \r\n{\"a\":2}"));
  }

  @Test
  void a_malformed_line_is_a_fault_and_the_next_ones_are_read() throws IOException {
    var read =
        read("a.ndjson", "{\"a\":1}\n{\"a\":\n[1]\n{\"a\":1,\"a\":2}\n{\"a\":3} x\n{\"a\":4}\n");
    assertEquals(6, read.size());
    assertTrue(read.get(1).startsWith("0:2:This is not JSON: "), read.get(1));
    assertEquals("0:3:The line is JSON, but not an object.", read.get(2));
    assertTrue(read.get(3).contains("Duplicate field 'a'"), read.get(3));
    assertTrue(read.get(4).startsWith("0:5:This is not JSON: "), read.get(4));
    assertEquals("0:6:{\"a\":4}", read.get(5));
  }

  @Test
  void a_line_may_have_five_mebibytes_and_not_a_byte_more() throws IOException {
    var longest = "{\"a\":\"" + "x".repeat(NdjsonItemReader.MAX_LINE_BYTES - 8) + "\"}";
    assertEquals(NdjsonItemReader.MAX_LINE_BYTES, longest.length());
    assertEquals("0:1:" + longest, read("a", longest + "\n").getFirst());
    var read = read("b", " " + longest + "\n{}\n");
    assertEquals("0:1:The line has 5,242,881 bytes, but may have 5 MiB.", read.get(0));
    assertEquals("0:2:{}", read.get(1));
  }

  @Test
  void text_that_is_not_utf_8_is_a_fault_of_its_line() throws IOException {
    var path = directory.resolve("latin");
    Files.write(path, "{\"a\":1}\n{\"a\":\"\u00fc\"}\n".getBytes(ISO_8859_1));
    assertEquals("0:2:The line is not UTF-8.", read(source(path)).get(1));
  }

  @Test
  void gzip_and_a_byte_order_mark_are_recognized_whatever_the_name() throws IOException {
    var path = directory.resolve("data");
    try (var out = new GZIPOutputStream(Files.newOutputStream(path))) {
      out.write("\ufeff{\"a\":1}\n".getBytes(UTF_8));
    }
    assertEquals(List.of("0:1:{\"a\":1}"), read(source(path)));
  }

  @Test
  void the_bytes_that_are_counted_are_those_of_the_file() throws IOException {
    var path = directory.resolve("data.gz");
    try (var out = new GZIPOutputStream(Files.newOutputStream(path))) {
      out.write("{\"a\":1}\n".repeat(100_000).getBytes(UTF_8));
    }
    var bytes = new AtomicLong();
    try (var input = source(path).open(bytes)) {
      input.skip(100_000);
      assertNull(input.next());
    }
    assertEquals(Files.size(path), bytes.get());
  }

  @Test
  void an_array_is_read_element_by_element_with_their_lines() throws IOException {
    assertEquals(
        List.of("0:2:{\"a\":1}", "0:3:The element is not an object.", "0:4:{\"a\":2}"),
        read("a.json", "[\n{\"a\":1},\n 7,\n{\"a\":2}]"));
  }

  @Test
  void an_element_that_is_much_longer_than_five_mebibytes_is_not_read() throws IOException {
    var text = "x".repeat(NdjsonItemReader.MAX_LINE_BYTES - 8);
    assertEquals(2, read("a.json", "[{\"a\":\"" + text + "\"},{\"a\":1}]").size());
    var read = read("b.json", "[{},\n{\"a\":[" + "1,".repeat(3_000_000) + "1]}]");
    assertEquals("0:1:{}", read.get(0));
    assertTrue(
        read.get(1).endsWith(":The element has more than 5 MiB; nothing after it was read."),
        read.get(1));
    assertEquals(2, read.size());
  }

  @Test
  void an_array_that_breaks_off_says_so_after_what_could_be_read() throws IOException {
    var read = read("a.json", "[{\"a\":1},\n{\"a\":");
    assertEquals("0:1:{\"a\":1}", read.getFirst());
    assertTrue(read.get(1).endsWith("; nothing after it was read."), read.get(1));
    assertEquals(2, read.size());
  }

  @Test
  void csv_is_read_with_quotes_line_breaks_and_the_line_on_which_a_row_begins() throws IOException {
    assertEquals(
        List.of(
            "0:2:{\"id\":\"1\",\"name\":\"a,\\\"b\\\"\"}",
            "0:3:{\"id\":\"2\",\"name\":\"c\\nd\"}",
            "0:5:{\"id\":\"3\",\"name\":\"\"}"),
        read("a.csv", "id,name\r\n1,\"a,\"\"b\"\"\"\r\n2,\"c\nd\"\r\n3,\r\n"));
  }

  @Test
  void a_row_with_too_many_or_few_cells_is_a_fault_of_its_line() throws IOException {
    assertEquals(
        List.of(
            "0:2:The row has 1 cells, and the header 2.",
            "0:3:The row has 3 cells, and the header 2.",
            "0:4:{\"a\":\"1\",\"b\":\"2\"}"),
        read("a.csv", "a,b\n1\n1,2,3\n1,2\n"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {"a;b\\n1;2", "a\\tb\\n1\\t2", "a|b\\n1|2", "a,b\\n1,2", "\"x;y\",b,c\\n1,2,3"})
  void the_separator_is_what_the_header_has_most_of(String text) throws IOException {
    var content = text.replace("\\n", "\n").replace("\\t", "\t");
    var read = read("a.csv", content);
    assertTrue(read.getFirst().contains("\"b\":\"2\""), read.getFirst());
  }

  @Test
  void columns_become_names_of_fields() throws IOException {
    assertEquals(
        List.of("0:2:{\"First_name\":\"x\",\"_2024\":\"y\",\"size_m2_\":\"z\"}"),
        read("a.csv", " First name ,2024,size (m2)\nx,y,z\n"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "a,a\\n1,2! two columns of its header are named `a`",
        "a,,b\\n1,2,3! column 2 of its header has no name",
        "''! it has no header with the names of its columns"
      })
  void a_header_that_cannot_be_used_is_refused(String text, String reason) throws IOException {
    var source = source(file("a.csv", text.replace("\\n", "\n")));
    var refused = assertThrows(IOException.class, () -> read(source));
    assertTrue(refused.getMessage().contains(reason), refused.getMessage());
    assertTrue(refused.getMessage().contains("a.csv"), refused.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "a.ndjson! {\"operation\":\"add\",\"name\":\"S/a\",\"data\":{}}! NDJSON! OPERATIONS",
        "a.json! [{\"operation\":\"add\",\"kind\":\"collection\",\"members\":[]}]! ARRAY!"
            + " OPERATIONS",
        "a.json! [ {\"operation\":\"sum\",\"cost\":3}]! ARRAY! ROWS",
        "a! {\"kind\":\"thing\",\"wref\":\"S/a\",\"shapeName\":\"S\",\"data\":{}}! NDJSON! EXPORT",
        "a! {\"id\":1}! NDJSON! ROWS",
        "a.txt! id,name! CSV! ROWS",
        "A.CSV! {! CSV! ROWS",
        "a.json! []! ARRAY! ROWS"
      })
  void a_format_is_recognized_by_the_name_and_the_first_item(
      String name, String content, InputFormat.Container container, InputFormat.Content items)
      throws IOException {
    assertEquals(new InputFormat(container, items), source(file(name, content)).format());
  }

  @Test
  void a_long_first_line_is_recognized_by_its_beginning() throws IOException {
    var line =
        "{\"operation\":\"add\",\"name\":\"S/a\",\"data\":{\"a\":\"" + "x".repeat(100_000) + "\"}}";
    assertEquals(InputFormat.Content.OPERATIONS, source(file("a", line)).format().content());
  }

  @Test
  void several_files_are_read_one_after_the_other() throws IOException {
    var source = source(file("a", "{\"a\":1}\n"), file("b", ""), file("c", "{\"a\":2}\n"));
    assertEquals(List.of("0:1:{\"a\":1}", "2:1:{\"a\":2}"), read(source));
  }

  @Test
  void files_of_different_formats_are_refused() throws IOException {
    var one = file("a.csv", "id\n1\n");
    var other = file("b.ndjson", "{\"id\":1}\n");
    var refused = assertThrows(IOException.class, () -> source(one, other));
    assertTrue(refused.getMessage().contains("of different formats"), refused.getMessage());
  }

  @Test
  void the_standard_input_is_recognized_and_then_read_from_its_beginning() throws IOException {
    var content = "{\"id\":1}\n".repeat(200_000);
    var in = new ByteArrayInputStream(content.getBytes(UTF_8));
    var source = Source.of(List.of(InputFile.STANDARD_INPUT), null, in);
    assertEquals(InputFormat.Container.NDJSON, source.format().container());
    assertEquals(200_000, read(source).size());
  }
}
