package dev.cairn.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Properties;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a build takes from elsewhere besides dependencies. */
class BuildInputsTest {
  private static final Pattern BASE = Pattern.compile("(?m)^FROM (\\S+)");
  private static final Pattern IMAGE =
      Pattern.compile("(?m)(?:^ARG [A-Z]+_IMAGE=| image: )(\\S+)$");

  @Test
  void the_archives_of_maven_have_checksums_that_the_wrapper_verifies() throws IOException {
    var wrapper = new Properties();
    wrapper.load(
        new StringReader(Files.readString(Path.of(".mvn/wrapper/maven-wrapper.properties"))));
    var script = Files.readString(Path.of("mvnw"));
    for (var sum : new String[] {"distributionSha256Sum", "distributionTarGzSha256Sum"}) {
      assertTrue(wrapper.getProperty(sum).matches("[0-9a-f]{64}"), sum);
      assertTrue(script.contains("  " + sum + ") " + sum + "="), sum);
    }
    assertTrue(Files.readString(Path.of("mvnw.cmd")).contains("-ne $distributionSha256Sum"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"jvm", "native"})
  void every_base_image_is_a_build_argument(String kind) throws IOException {
    var file = Files.readString(Path.of("src/main/docker/Dockerfile." + kind));
    var page = Files.readString(Path.of("docs/deploy.md"));
    var bases = BASE.matcher(file).results().map(base -> base.group(1)).toList();
    assertTrue(bases.size() > 2, bases::toString);
    for (var base : bases) {
      if (!base.equals("scratch") && !base.equals("built-${BUILT}")) {
        assertTrue(base.matches("\\$\\{[A-Z]+_IMAGE}"), base);
        var argument = base.substring(2, base.length() - 1);
        assertEquals(2, file.split("ARG " + argument + "=", -1).length, argument);
        assertTrue(page.contains("`" + argument + "`"), argument);
      }
    }
  }

  @Test
  void every_image_of_others_is_named_by_digest() throws IOException {
    var images = new ArrayList<String>();
    for (var top : new String[] {"src/main/docker", "deploy/k8s"}) {
      try (var files = Files.walk(Path.of(top))) {
        for (var file : files.filter(Files::isRegularFile).toList()) {
          IMAGE.matcher(Files.readString(file)).results().forEach(at -> images.add(at.group(1)));
        }
      }
    }
    images.removeIf("cairn"::equals);
    assertEquals(7, images.size(), images::toString);
    for (var image : images) {
      assertTrue(image.matches("[a-z0-9./-]+(:[a-z0-9.-]+)?@sha256:[0-9a-f]{64}"), image);
    }
  }
}
