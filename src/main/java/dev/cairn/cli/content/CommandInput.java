package dev.cairn.cli.content;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.cli.command.BoundedInput;
import dev.cairn.cli.command.CommandFailure;
import dev.cairn.cli.command.ExitCode;
import dev.cairn.cli.command.JsonText;
import dev.cairn.cli.output.ProcessContext;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** JSON that a command is given: as an argument, in a file, or on the standard input. */
final class CommandInput {
  /** The file name of the standard input. */
  static final String STANDARD_INPUT = "-";

  private static final String FILE_PREFIX = "@";

  /** More than the service takes: what is larger is to be imported. */
  private static final long MAX_BYTES = 64L * 1024 * 1024;

  private final ProcessContext context;

  CommandInput(ProcessContext context) {
    this.context = context;
  }

  /**
   * A JSON object: the text itself, or with {@code @} before it the name of a file.
   *
   * @param option what was given so, for messages
   * @throws CommandFailure if it is none
   */
  ObjectNode object(String option, String text) throws IOException {
    var values =
        text.startsWith(FILE_PREFIX)
            ? values(text.substring(FILE_PREFIX.length()))
            : List.of(JsonText.any(option, ExitCode.INVALID, text));
    if (values.size() == 1 && values.getFirst() instanceof ObjectNode object) {
      return object;
    }
    throw new CommandFailure(
        ExitCode.INVALID,
        "%s must be one JSON object, such as '{\"room\": \"palm house\"}', or @file."
            .formatted(option));
  }

  /**
   * The JSON values of a file, one after the other.
   *
   * @param file its name, or {@link #STANDARD_INPUT}
   * @throws CommandFailure if it is no JSON, and says in which line
   */
  List<JsonNode> values(String file) throws IOException {
    var name = file.equals(STANDARD_INPUT) ? "The standard input" : file;
    try (var in = new BoundedInput(open(file), MAX_BYTES)) {
      return JsonText.values(name, in);
    } catch (BoundedInput.TooLongException e) {
      throw new CommandFailure(
          ExitCode.INVALID, name + " has more than 64 MiB.", "cairn import " + file);
    }
  }

  private InputStream open(String file) throws IOException {
    return file.equals(STANDARD_INPUT) ? context.in() : Files.newInputStream(Path.of(file));
  }
}
