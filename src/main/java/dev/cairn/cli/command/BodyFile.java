package dev.cairn.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.cli.output.ProcessContext;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * A request body that a file has whole, instead of options for its members; a mixin. The service
 * checks the body, not the CLI.
 */
public final class BodyFile {
  private static final int MAX_BYTES = 16 * 1024 * 1024;
  private static final String OPTION = "--file";

  @Option(
      names = {"-f", OPTION},
      paramLabel = "<file>",
      description = {
        "A JSON file with the whole request as the API has it, or - for standard input."
      })
  private Path file;

  /** For picocli. */
  public BodyFile() {}

  /** Whether there is one. */
  public boolean isGiven() {
    return file != null;
  }

  /**
   * Reads it.
   *
   * @param spec the command
   * @param besides the options that may be given besides; they are not part of the request
   * @throws ParameterException if another option is given
   * @throws CommandFailure if it is not a JSON object
   * @throws IOException if it cannot be read
   */
  public ObjectNode read(CommandSpec spec, ProcessContext context, String... besides)
      throws IOException {
    requireAlone(spec, Set.of(besides));
    return read(file, context);
  }

  private static void requireAlone(CommandSpec spec, Set<String> besides) {
    for (var option : spec.commandLine().getParseResult().matchedOptions()) {
      var name = option.longestName();
      if (!option.inherited() && !name.equals(OPTION) && !besides.contains(name)) {
        throw new ParameterException(
            spec.commandLine(),
            "--file has the whole request, so %s cannot be given with it.".formatted(name));
      }
    }
  }

  /**
   * Reads a JSON object.
   *
   * @param file where it is; {@code -} is the standard input
   * @throws CommandFailure if it is not one, or has more than 16 MiB
   * @throws IOException if it cannot be read
   */
  public static ObjectNode read(Path file, ProcessContext context) throws IOException {
    boolean isInput = file.toString().equals("-");
    var name = isInput ? "The standard input" : "The file " + file;
    byte[] bytes;
    try (InputStream in = isInput ? context.in() : Files.newInputStream(file)) {
      bytes = in.readNBytes(MAX_BYTES + 1);
    }
    if (bytes.length > MAX_BYTES) {
      throw new CommandFailure(ExitCode.INVALID, name + " has more than 16 MiB.");
    }
    return JsonText.object(name, ExitCode.INVALID, bytes);
  }
}
