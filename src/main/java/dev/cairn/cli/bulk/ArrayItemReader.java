package dev.cairn.cli.bulk;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.TreeNode;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.cli.command.BoundedInput;
import java.io.IOException;
import java.io.InputStream;

/** The objects of a JSON array, of which one at a time is in memory. */
final class ArrayItemReader implements ItemReader {
  /** What follows an element is the next one. */
  private static final ObjectReader ELEMENTS =
      Json.MAPPER.reader().without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  /** As long as a line of NDJSON may be, and what the parser reads ahead. */
  private static final long MAX_ELEMENT_BYTES = NdjsonItemReader.MAX_LINE_BYTES + 64 * 1024L;

  private final BoundedInput bounded;
  private final JsonParser parser;
  private boolean hasEnded;

  /**
   * Begins to read.
   *
   * @throws IOException if it does not begin with an array
   */
  ArrayItemReader(InputStream in) throws IOException {
    bounded = new BoundedInput(in, MAX_ELEMENT_BYTES);
    parser = Json.MAPPER.createParser(bounded);
    if (parser.nextToken() != JsonToken.START_ARRAY) {
      throw new IOException("it does not begin with an array");
    }
  }

  @Override
  public Item next() throws IOException {
    if (hasEnded) {
      return null;
    }
    bounded.allow(MAX_ELEMENT_BYTES);
    try {
      return read();
    } catch (BoundedInput.TooLongException e) {
      hasEnded = true;
      return Item.faulty(
          parser.currentTokenLocation().getLineNr(),
          "The element has more than 5 MiB; nothing after it was read.");
    } catch (JsonProcessingException e) {
      // Where the next element begins, nobody knows.
      hasEnded = true;
      int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
      return Item.faulty(line, Json.fault(e) + "; nothing after it was read.");
    }
  }

  private Item read() throws IOException {
    var token = parser.nextToken();
    if (token == null) {
      hasEnded = true;
      return Item.faulty(parser.currentLocation().getLineNr(), "The array has no end.");
    }
    if (token == JsonToken.END_ARRAY) {
      hasEnded = true;
      return null;
    }
    long line = parser.currentTokenLocation().getLineNr();
    TreeNode element = ELEMENTS.readTree(parser);
    return element instanceof ObjectNode object
        ? Item.of(line, object)
        : Item.faulty(line, "The element is not an object.");
  }

  @Override
  public void close() throws IOException {
    parser.close();
  }
}
