package dev.cairn.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.docs.GeneratedPart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** API: what is served is what the sources say; {@code docs/api.md}, The OpenAPI document. */
class DocumentTest {
  private static final Path TOOLS = Path.of("src/main/resources/META-INF/mcp-tools.json");

  @Test
  void the_document_is_what_its_sources_say() throws IOException {
    check(OpenApi.FILE, DocumentFile.yaml(OpenApi.get().root()));
  }

  @Test
  void the_tools_take_and_give_what_the_sources_say() throws IOException {
    check(TOOLS, DocumentFile.lines(new ToolDescriptions(OpenApi.get()).all()));
  }

  private static void check(Path file, String text) throws IOException {
    if (GeneratedPart.isWritten()) {
      Files.writeString(file, text);
    }
    assertEquals(
        text,
        Files.readString(file),
        "run ./mvnw test -Dtest='DocumentTest,ExamplesTest,RoutesPageTest,ApiTablesTest' -Ddocs.write=true");
  }
}
