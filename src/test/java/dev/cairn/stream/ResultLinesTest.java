package dev.cairn.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.cairn.commit.SubmittedLines.Line;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** docs/streams.md, Resuming: the results of operations that were applied before. */
class ResultLinesTest {
  private static String replayed(String json) throws IOException {
    var out = new ByteArrayOutputStream();
    var results = new ResultLines(out, new ClientPace());
    results.replayed(Line.of(1, json.getBytes(UTF_8)), 0);
    results.send();
    return out.toString(UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'opId':'a'} | a",
        "{'data':{'opId':'b','x':[{}]},'opId':'a','y':[1]} | a",
        "{'data':{'opId':'b'}} |",
        "{'opId':1} |",
        "{'opId':{'opId':'b'}} |",
        "['opId'] |",
        "{'opId':'a' |",
        "{'opId':'a'} 1 |",
        "x |"
      })
  void the_own_id_of_an_operation_is_that_of_its_own_member(String json, String opId)
      throws IOException {
    var id = opId == null ? "" : "\"opId\":\"" + opId + "\",";
    assertEquals(
        "{\"line\":1,\"opIndex\":0," + id + "\"status\":\"replayed\"}\n",
        replayed(json.replace('\'', '"')));
  }

  @Test
  void an_id_that_is_too_long_to_be_one_is_none() throws IOException {
    assertTrue(replayed("{\"opId\":\"" + "x".repeat(200) + "\"}").contains("opId"));
    assertEquals(
        replayed("{}"),
        replayed("{\"opId\":\"" + "x".repeat(LineReader.MAX_LINE_BYTES - 20) + "\"}"));
  }

  @Test
  void a_line_of_many_values_takes_no_more_memory_than_its_text() throws IOException {
    var json =
        ("{\"opId\":\"a\",\"data\":[{}" + ",{}".repeat(LineReader.MAX_LINE_BYTES / 3 - 20) + "]}");
    var line = Line.of(1, json.getBytes(UTF_8));
    var results = new ResultLines(new ByteArrayOutputStream(), new ClientPace());
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    results.replayed(line, 0);
    long before = threads.getCurrentThreadAllocatedBytes();
    results.replayed(line, 1);
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    assertTrue(allocated < LineReader.MAX_LINE_BYTES, allocated + " bytes");
  }
}
