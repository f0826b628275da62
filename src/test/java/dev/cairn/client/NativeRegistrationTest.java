package dev.cairn.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.docs.GeneratedPart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A native executable keeps only those constructors and accessors of records that a list names. The
 * client has one, which is a part of its jar, and the CLI has one for what it writes as JSON. With
 * {@code docs.write} they are written anew.
 */
class NativeRegistrationTest {
  @ParameterizedTest
  @ValueSource(strings = {"client", "cli"})
  void every_record_and_every_type_with_variants_can_be_read_in_a_native_executable(String part)
      throws IOException {
    var file =
        Path.of(
            "src/main/resources/META-INF/native-image/dev.cairn/" + part + "/reflect-config.json");
    var entries =
        ClientClasses.below("dev.cairn." + part).stream()
            .filter(type -> type.isRecord() || type.isSealed())
            .map(
                type ->
                    """
                    {
                      "name": "%s",
                      "allDeclaredConstructors": true,
                      "allDeclaredMethods": true,
                      "allDeclaredFields": true,
                      "allRecordComponents": true
                    }\
                    """
                        .formatted(type.getName()))
            .collect(Collectors.joining(",\n", "[\n", "\n]\n"));
    if (GeneratedPart.isWritten()) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, entries);
    }
    assertEquals(
        entries,
        Files.readString(file),
        "run ./mvnw test -Dtest=NativeRegistrationTest -Ddocs.write=true");
  }
}
