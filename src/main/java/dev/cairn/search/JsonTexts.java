package dev.cairn.search;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.cairn.model.IJson;
import dev.cairn.model.StoredJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Reads the strings in stored data, at any depth; references without their versions. */
final class JsonTexts {
  /** Takes a string and where it is. */
  @FunctionalInterface
  interface TextConsumer {
    /**
     * Takes a string; false ends the reading.
     *
     * @param path where the string is; valid during the call
     */
    boolean accept(String text, Path path);
  }

  /** The position of a value in the data: names of members and indexes of items. */
  static final class Path {
    private final List<Step> steps = new ArrayList<>();

    /**
     * A step into an object or an array.
     *
     * @param member the name of the member; null in an array
     * @param index the index of the item
     */
    private record Step(String member, int index) {}

    private void enter(boolean isArray) {
      steps.add(new Step(isArray ? null : "", -1));
    }

    private void leave() {
      steps.removeLast();
    }

    private void member(String name) {
      steps.set(steps.size() - 1, new Step(name, 0));
    }

    /** Counts a value that begins, if it is an item of an array. */
    private void value() {
      if (!steps.isEmpty() && steps.getLast().member == null) {
        steps.set(steps.size() - 1, new Step(null, steps.getLast().index + 1));
      }
    }

    /** The RFC 6901 pointer, in which long names are cut. */
    String pointer() {
      var pointer = new StringBuilder();
      for (var step : steps) {
        pointer.append(
            step.member == null ? IJson.pointer("", step.index) : IJson.pointer("", step.member));
      }
      return pointer.toString();
    }
  }

  private JsonTexts() {}

  /** Passes each string to a consumer, until it returns false. */
  static void read(String stored, Predicate<String> consumer) {
    read(stored, (text, _) -> consumer.test(text));
  }

  /** The same with the position of each string. */
  static void read(String stored, TextConsumer consumer) {
    try (var parser = IJson.factory().createParser(StoredJson.unversioned(stored))) {
      read(parser, consumer);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void read(JsonParser parser, TextConsumer consumer) throws IOException {
    var path = new Path();
    for (var token = parser.nextToken(); token != null; token = parser.nextToken()) {
      switch (token) {
        case START_OBJECT, START_ARRAY -> {
          path.value();
          path.enter(token == JsonToken.START_ARRAY);
        }
        case END_OBJECT, END_ARRAY -> path.leave();
        case FIELD_NAME -> path.member(parser.currentName());
        default -> path.value();
      }
      if (token == JsonToken.VALUE_STRING && !consumer.accept(parser.getText(), path)) {
        return;
      }
    }
  }
}
