package dev.cairn.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.openapi.Shown;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Examples of these docs that tests of other packages hold against what the service sends. */
public final class PageExample {
  /** Ids also occur within other texts. */
  private static final int ID_LENGTH = 36;

  /** An address that no example has. */
  private static final String NOWHERE = "http://localhost:0";

  private PageExample() {}

  /**
   * The one example of JSON in a section shows a value.
   *
   * @param place the page, a comma, and the heading of the section
   * @param drawn pointers to the texts that differ from one installation to the next
   */
  public static void assertShows(String place, JsonNode value, String... drawn) throws IOException {
    var page = Path.of(place.substring(0, place.indexOf(',')));
    var examples =
        Fence.of(page).stream()
            .filter(fence -> fence.place().equals(place) && fence.language().equals("json"))
            .toList();
    assertEquals(1, examples.size(), place);
    var shown = Shown.values(examples.getFirst().text()).getFirst();
    var answer = value.toString();
    for (var pointer : drawn) {
      var own = value.at(pointer).asText();
      var text = shown.at(pointer).asText();
      assertFalse(own.isEmpty() || text.isEmpty(), pointer);
      answer =
          own.length() == ID_LENGTH
              ? answer.replace(own, text)
              : answer.replace(":\"" + own + "\"", ":\"" + text + "\"");
    }
    var differences = Shown.differences(NOWHERE, shown, Shown.values(answer).getFirst());
    assertEquals(List.of(), differences, value::toString);
  }
}
