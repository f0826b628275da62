package dev.cairn.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.docs.GeneratedPart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * A native executable keeps only those constructors and accessors of records that a list names. The
 * client has one, which is a part of its jar. With {@code docs.write} it is written anew.
 */
class NativeRegistrationTest {
  private static final Path FILE =
      Path.of("src/main/resources/META-INF/native-image/dev.cairn/client/reflect-config.json");

  @Test
  void every_record_and_every_type_with_variants_can_be_read_in_a_native_executable()
      throws IOException {
    var entries =
        ClientClasses.all().stream()
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
      Files.createDirectories(FILE.getParent());
      Files.writeString(FILE, entries);
    }
    assertEquals(
        entries,
        Files.readString(FILE),
        "run ./mvnw test -Dtest=NativeRegistrationTest -Ddocs.write=true");
  }
}
