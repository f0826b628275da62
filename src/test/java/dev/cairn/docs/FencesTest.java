package dev.cairn.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.TextFile;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every command and every example of the README and of these docs works. The commands of {@code sh}
 * blocks are run in the order of the pages, and JSON right below them must be an answer that they
 * got. Java is a part of an example. What cannot be run here, or stands alone, is in {@link
 * SectionChecks} with what is checked instead; a block that neither rule covers fails. Commands
 * within a sentence are rehearsed.
 */
@HttpTest
@QuarkusTest
@InProcess("It runs the examples of these docs.")
class FencesTest {
  /** The pages whose commands go on with what those before them made. */
  private static final List<Path> FIRST =
      Stream.of(
              "README.md",
              "docs/api.md",
              "docs/reads.md",
              "docs/commits.md",
              "docs/subscriptions.md",
              "docs/export.md")
          .map(Path::of)
          .toList();

  /** The statuses that the commands of a page get, in their order, besides those of success. */
  private static final Map<String, List<String>> OTHER_STATUSES =
      Map.of(
          "README.md", List.of("400", "403"),
          "docs/api.md", List.of("304"),
          "docs/oauth.md", List.of("400"));

  private static final Pattern FILE =
      Pattern.compile("(?:src|deploy|examples)/[\\w./-]+|\\./(?:mvnw|run|install)\\b");
  private static final Pattern SETTING = Pattern.compile("\\bCAIRN_[A-Z0-9_]+");
  private static final Pattern DRAWING = Pattern.compile("[\u2500-\u257f▲▶▼◀]");

  /** Code within a sentence. */
  private static final Pattern CODE = Pattern.compile("`([^`\\n]+)`");

  /** The beginning of a command with arguments, or of a statement of SQL. */
  private static final Pattern COMMAND =
      Pattern.compile(
          "(\\./mvnw|mvnw\\.cmd|\\./run|java|docker|kubectl|curl|openssl|psql|createdb|pg_dump"
              + "|pg_restore|pg_basebackup|select) .+");

  /** An option of Maven, or of the service. */
  private static final Pattern OPTION = Pattern.compile("-D([\\w.-]+)");

  /** There are more commands within sentences. */
  private static final int MIN_COMMANDS = 20;

  @TempDir Path directory;

  @Test
  void every_block_of_the_pages_is_run_or_checked() throws Exception {
    var failures = new ArrayList<String>();
    try (var terminal = new Terminal(directory)) {
      var checks = new SectionChecks(terminal, directory);
      var unused = new TreeSet<>(checks.places());
      for (var page : pages()) {
        terminal.turnPage();
        var fences = Fence.of(page);
        for (int i = 0; i < fences.size(); i++) {
          var fence = fences.get(i);
          unused.remove(fence.place());
          var before = i == 0 ? null : fences.get(i - 1);
          try {
            namesWhatThereIs(fence.text());
            var ofSection = checks.of(fence.place());
            if (ofSection == null) {
              check(terminal, fence, before);
            } else {
              int index = indexInSection(fences, i);
              assertTrue(index < ofSection.size(), "nothing checks this block");
              ofSection.get(index).on(fence);
            }
          } catch (Exception | AssertionError e) {
            failures.add(fence + " in " + fence.section() + ": " + e.getMessage());
          }
        }
        var expected = OTHER_STATUSES.getOrDefault(page.toString(), List.of());
        if (!expected.equals(terminal.otherStatuses())) {
          failures.add("%s: the commands got %s".formatted(page, terminal.otherStatuses()));
        }
      }
      unused.forEach(place -> failures.add(place + ": there is no such block"));
    }
    assertEquals("", String.join("\n\n", failures));
  }

  private static Set<Path> pages() throws IOException {
    var pages = new LinkedHashSet<>(FIRST);
    try (var files = Files.walk(Path.of("docs"))) {
      files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    return pages;
  }

  private static int indexInSection(List<Fence> fences, int index) {
    var section = fences.get(index).place();
    return (int)
        fences.subList(0, index).stream().filter(one -> one.place().equals(section)).count();
  }

  private static void check(Terminal terminal, Fence fence, Fence before) throws IOException {
    switch (fence.language()) {
      case "sh" -> terminal.run(fence);
      case "json" -> {
        assertTrue(
            fence.followsFence() && before.language().equals("sh"), "nothing checks this example");
        terminal.answers(fence);
      }
      case "java" -> assertTrue(isOfAnExample(fence.text()), "no example has these lines");
      case "" -> assertTrue(DRAWING.matcher(fence.text()).find(), "the block has no language");
      default -> throw new AssertionError("nothing checks this block");
    }
  }

  private static boolean isOfAnExample(String code) throws IOException {
    try (var files = Files.walk(Path.of("examples"))) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .anyMatch(file -> TextFile.read(file).contains(code + "\n"));
    }
  }

  /** Files of the project, and settings of the service and of the CLI. */
  private static void namesWhatThereIs(String text) {
    FILE.matcher(text)
        .results()
        .forEach(file -> assertTrue(Files.exists(Path.of(file.group())), file.group()));
    var settings =
        TextFile.read(Path.of("docs/configuration.md")) + TextFile.read(Path.of("docs/cli.md"));
    SETTING
        .matcher(text)
        .results()
        .forEach(
            setting -> assertTrue(settings.contains("`" + setting.group() + "`"), setting.group()));
  }

  @Test
  void every_command_within_a_sentence_can_be_run() throws Exception {
    var failures = new ArrayList<String>();
    int count = 0;
    for (var page : pages()) {
      for (var command : commandsOf(page)) {
        count++;
        try {
          namesWhatThereIs(command);
          if (command.startsWith("select ")) {
            plan(command);
          } else {
            rehearse(command);
          }
        } catch (Exception | AssertionError e) {
          failures.add("%s: `%s`: %s".formatted(page, command, e.getMessage()));
        }
      }
    }
    assertEquals("", String.join("\n\n", failures));
    assertTrue(count > MIN_COMMANDS, "found " + count);
  }

  private static List<String> commandsOf(Path page) {
    var text = TextFile.read(page).replaceAll("(?ms)^ *```.*?^ *```$", "");
    return CODE.matcher(text)
        .results()
        .map(code -> code.group(1))
        .filter(code -> COMMAND.matcher(code).matches())
        .toList();
  }

  /** The database knows its tables, columns and functions. */
  private static void plan(String sql) throws Exception {
    try (var connection = OwnConnections.plain()) {
      OwnConnections.execute(connection, "explain " + sql);
    }
  }

  /** A shell takes it for one call with these arguments, whose options exist. */
  private void rehearse(String command) throws IOException, InterruptedException {
    var own = command.replace("mvnw.cmd", "./mvnw");
    var scratch = Files.createTempDirectory(directory, "rehearsal").toRealPath();
    var calls = new Rehearsal(scratch).run(own);
    assertEquals(List.of(own.replace("./", "").replace("'", "")), calls);
    OPTION
        .matcher(own)
        .results()
        .map(option -> option.group(1))
        .filter(option -> !option.startsWith("quarkus."))
        .forEach(option -> assertTrue(isKnown(option), option));
  }

  private static boolean isKnown(String option) {
    var pom = TextFile.read(Path.of("pom.xml"));
    return Set.of("skipTests", "test").contains(option)
        || pom.contains("<name>" + option + "</name>")
        || pom.contains("<" + option + ">")
        || TextFile.read(Path.of("src/test/java/dev/cairn/docs/GeneratedPart.java"))
            .contains('"' + option + '"');
  }
}
