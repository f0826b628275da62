package dev.cairn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Containers: the bill of materials beside the packaged service. {@code docs/deploy.md}. */
class BillOfMaterialsIT {
  private static final Path APPLICATION = Path.of("target/quarkus-app");
  private static final Pattern DEPENDENCY =
      Pattern.compile(
          "<dependency>\\s*<groupId>([^<$]+)</groupId>\\s*<artifactId>([^<$]+)</artifactId>([^$]*?)</dependency>");

  private static JsonNode bill;

  @BeforeAll
  static void read() throws IOException {
    assumeFalse(Artifact.isNative(), "an executable has its jars within itself");
    bill = new ObjectMapper().readTree(Path.of("target/quarkus-run-cyclonedx.json").toFile());
    assertEquals("CycloneDX", bill.path("bomFormat").textValue());
  }

  private static Set<String> names() {
    var names = new TreeSet<String>();
    for (var component : bill.get("components")) {
      names.add(component.path("group").asText() + ":" + component.path("name").asText());
    }
    return names;
  }

  @Test
  void it_names_what_the_project_depends_on() throws IOException {
    var expected = new TreeSet<String>();
    var pom = Files.readString(Path.of("pom.xml"));
    var dependencies = pom.substring(pom.indexOf("<!-- Why each is here"), pom.indexOf("<build>"));
    var dependency = DEPENDENCY.matcher(dependencies);
    while (dependency.find()) {
      if (!dependency.group(3).contains("<scope>")) {
        expected.add(dependency.group(1) + ":" + dependency.group(2));
      }
    }
    assertTrue(expected.size() > 15, () -> "only found " + expected);
    expected.removeAll(names());
    assertEquals(Set.of(), expected, "are not in the bill");
  }

  @Test
  void each_jar_of_the_package_stands_in_it() throws IOException {
    var text = bill.toString();
    var missing = new ArrayList<String>();
    try (var files = Files.walk(APPLICATION.resolve("lib"))) {
      for (var jar : files.filter(f -> f.toString().endsWith(".jar")).toList()) {
        if (!text.contains(jar.getFileName().toString())) {
          missing.add(jar.toString());
        }
      }
    }
    assertEquals(0, missing.size(), missing::toString);
  }
}
