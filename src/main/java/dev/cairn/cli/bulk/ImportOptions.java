package dev.cairn.cli.bulk;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What the user says of an import. */
final class ImportOptions {
  @Parameters(
      paramLabel = "<file>",
      arity = "1..*",
      description =
          "NDJSON, a JSON array or CSV, also compressed with gzip; '-' is the standard input.")
  List<Path> files = new ArrayList<>();

  @Option(
      names = "--as",
      paramLabel = "<content>",
      description = "What the files have: operations, export or rows. Otherwise it is recognized.")
  String content;

  @Option(
      names = "--shape",
      paramLabel = "<shape>",
      description = "The shape of the entities that rows become.")
  String shape;

  @Option(
      names = "--key",
      paramLabel = "<template>",
      description = "Their names: a field such as id, or a template such as '{country}/{code}'.")
  String key;

  @Option(
      names = "--about",
      paramLabel = "<template>",
      description = "What they are about, such as 'Sensor/{sensor}': rows become assertions.")
  String about;

  @Option(
      names = "--infer",
      description = "Infer the shape from all rows, show it, and add it if it does not exist.")
  boolean infer;

  @Option(
      names = "--separator",
      paramLabel = "<character>",
      description = "Between the cells of CSV. Otherwise it is found in the header.")
  Character separator;

  @Option(
      names = "--dry-run",
      description = "Only count what would be added, revised and unchanged.")
  boolean dryRun;

  @Option(names = "--atomic", description = "Import everything as one commit, or nothing.")
  boolean atomic;

  @Option(
      names = "--max-errors",
      paramLabel = "<number>",
      defaultValue = "100",
      description = "Stop when more lines than this have failed. By default 100.")
  long maxErrors;

  @Option(
      names = {"-m", "--message"},
      paramLabel = "<text>",
      description = "The message of the commits.")
  String message;

  @Option(
      names = "--author",
      paramLabel = "<name>",
      description = "The author of the commits. Otherwise your own name.")
  String author;

  @Option(
      names = "--restart",
      description = "Begin anew, instead of going on after an interruption.")
  boolean restart;

  @Option(
      names = "--no-stream",
      description = "Send commits, also where the repository has streams.")
  boolean noStream;

  /** For picocli. */
  ImportOptions() {}

  /** What the files have; null if it is to be recognized. */
  InputFormat.Content content() {
    return content == null ? null : InputFormat.Content.valueOf(content.toUpperCase(Locale.ROOT));
  }

  /**
   * What contradicts itself, or is not valid, as a sentence.
   *
   * @return null if nothing
   */
  String mistake() {
    if (content != null && !List.of("operations", "export", "rows").contains(content)) {
      return "--as must be operations, export or rows, not '%s'.".formatted(content);
    }
    if (files.contains(InputFile.STANDARD_INPUT) && (files.size() > 1 || infer)) {
      return infer
          ? "--infer reads the rows twice, which the standard input does not allow: give a file."
          : "The standard input cannot be imported together with files.";
    }
    if (maxErrors < 0) {
      return "--max-errors must be 0 or more.";
    }
    return shape != null && !ApiLookups.isShape(shape)
        ? "'%s' cannot be the name of a shape.".formatted(shape)
        : null;
  }

  /**
   * What does not fit the files, as a sentence.
   *
   * @return null if nothing
   */
  String mistake(InputFormat.Content found) {
    if (found == InputFormat.Content.ROWS) {
      return shape == null || key == null
          ? "These are rows, so --shape and --key are needed: which shape they become, and which"
              + " field names them."
          : null;
    }
    boolean isMapped = shape != null || key != null || about != null || infer;
    return isMapped
        ? "--shape, --key, --about and --infer are for rows, and these are %s; --as rows tells otherwise."
            .formatted(found == InputFormat.Content.EXPORT ? "lines of an export" : "operations")
        : null;
  }

  /** What makes an import the same as an interrupted one, beside the server and the files. */
  List<String> identity() {
    return List.of(
        String.valueOf(content),
        String.valueOf(shape),
        String.valueOf(key),
        String.valueOf(about),
        String.valueOf(separator),
        String.valueOf(message),
        String.valueOf(author),
        String.valueOf(infer));
  }
}
