package dev.cairn.openapi;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator.Feature;
import com.fasterxml.jackson.dataformat.yaml.util.StringQuotingChecker;

/** How what is composed stands in a file. */
final class DocumentFile {
  private static final String HEAD =
      "# Composed from src/main/openapi by the tests; docs/api.md, The OpenAPI document.\n";

  private static final ObjectMapper YAML =
      new ObjectMapper(
          YAMLFactory.builder()
              .disable(Feature.WRITE_DOC_START_MARKER)
              .disable(Feature.SPLIT_LINES)
              .enable(Feature.MINIMIZE_QUOTES)
              .enable(Feature.LITERAL_BLOCK_STYLE)
              .stringQuotingChecker(new Quoting())
              .build());

  /** Quotes what begins like a number, too: a hash such as 12e34567 is one to some parsers. */
  private static final class Quoting extends StringQuotingChecker.Default {
    private static final long serialVersionUID = 1;

    @Override
    public boolean needToQuoteValue(String value) {
      return super.needToQuoteValue(value) || value.matches("(?s)[-+.]?[0-9].*");
    }
  }

  private DocumentFile() {}

  static String yaml(JsonNode document) {
    try {
      return HEAD + YAML.writeValueAsString(document);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** An object as JSON, each of its members on a line. */
  static String lines(JsonNode object) {
    return object.properties().stream()
        .map(member -> "\"" + member.getKey() + "\":" + member.getValue())
        .collect(joining(",\n", "{\n", "\n}\n"));
  }
}
