package dev.cairn.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.TextFile;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** API, Pagination: the example of the page can be run as it is. */
@HttpTest
@QuarkusTest
@InProcess("It runs an example of these docs.")
class PagingExampleTest {
  private static final Pattern EXAMPLE =
      Pattern.compile("## Pagination.*?```sh\\n(.*?)```", Pattern.DOTALL);

  @TempDir Path scratch;

  @Test
  void the_example_of_pagination_returns_the_first_page_and_the_second() throws Exception {
    var example = EXAMPLE.matcher(TextFile.read(Path.of("docs/api.md")));
    assertTrue(example.find());
    var here = "http://localhost:" + RestAssured.port;
    var commands = example.group(1).replace("http://localhost:8080", here);
    assertTrue(commands.contains(here), commands);

    var process =
        new ProcessBuilder("sh", "-eu", "-c", commands)
            .directory(scratch.toFile())
            .redirectErrorStream(true)
            .start();
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);

    assertEquals(0, process.waitFor(), output);
    try (var pages = new ObjectMapper().readerFor(JsonNode.class).<JsonNode>readValues(output)) {
      assertEquals(List.of("Country/AD", "Country/AE"), wrefs(pages.next()));
      assertEquals(List.of("Country/AF", "Country/AG"), wrefs(pages.next()));
    }
  }

  private static List<String> wrefs(JsonNode page) {
    return page.path("items").valueStream().map(item -> item.path("wref").asText()).toList();
  }
}
