package dev.cairn.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.docs.GeneratedPart;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * A native executable can write a record of the CLI as JSON only if a list names it. With {@code
 * docs.write} the list is written anew.
 */
class NativeOutputTest {
  private static final Path FILE =
      Path.of("src/main/resources/META-INF/native-image/dev.cairn/cli/reflect-config.json");

  @Test
  void every_record_of_the_cli_can_be_written_in_a_native_executable() throws Exception {
    var records = records();
    assertTrue(records.stream().anyMatch(name -> name.endsWith("DoctorCommand$Check")));
    var entries =
        records.stream()
            .map(
                name ->
                    """
                    {
                      "name": "%s",
                      "allDeclaredMethods": true,
                      "allDeclaredFields": true,
                      "allRecordComponents": true
                    }\
                    """
                        .formatted(name))
            .collect(Collectors.joining(",\n", "[\n", "\n]\n"));
    if (GeneratedPart.isWritten()) {
      Files.createDirectories(FILE.getParent());
      Files.writeString(FILE, entries);
    }
    assertEquals(
        entries,
        Files.readString(FILE),
        "run ./mvnw test -Dtest=NativeOutputTest -Ddocs.write=true");
  }

  private static List<String> records() throws Exception {
    var classes =
        Path.of(CairnCommand.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (var files =
        Files.walk(classes.resolve(CairnCommand.class.getPackageName().replace('.', '/')))) {
      return files
          .map(file -> classes.relativize(file).toString())
          .filter(file -> file.endsWith(".class") && !file.endsWith("package-info.class"))
          .map(file -> file.replace(".class", "").replace(File.separatorChar, '.'))
          .filter(NativeOutputTest::isRecord)
          .sorted()
          .toList();
    }
  }

  private static boolean isRecord(String name) {
    try {
      return Class.forName(name, false, NativeOutputTest.class.getClassLoader()).isRecord();
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }
}
