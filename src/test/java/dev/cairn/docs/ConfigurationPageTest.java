package dev.cairn.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.platform.CairnConfig;
import io.smallrye.config.ConfigMappings;
import io.smallrye.config.ConfigMappings.ConfigClass;
import java.nio.file.Path;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ConfigurationPageTest {
  private static final Path PACKAGE = Path.of("src/main/java/dev/cairn/platform");
  private static final Path[] SOURCES = {
    PACKAGE.resolve("CairnConfig.java"),
    PACKAGE.resolve("LimitsConfig.java"),
    PACKAGE.resolve("QuotasConfig.java")
  };

  @Test
  void the_page_of_settings_says_what_the_code_says() {
    var rows =
        ConfigSource.read(SOURCES).stream()
            .map(ConfigurationPageTest::row)
            .collect(Collectors.joining("\n"));
    new GeneratedPart(Path.of("docs/configuration.md"), ConfigurationPageTest.class)
        .check(
            "| Property | Environment variable | Default | Meaning |\n|---|---|---|---|\n" + rows);
  }

  @Test
  void the_settings_on_the_page_are_those_that_the_service_reads() {
    var mapped =
        ConfigMappings.getProperties(ConfigClass.configClass(CairnConfig.class)).keySet().stream()
            .filter(property -> !property.endsWith("[*]"))
            .toList();
    var read = ConfigSource.read(SOURCES).stream().map(ConfigSource.Setting::property).toList();
    assertEquals(new TreeSet<>(mapped), new TreeSet<>(read));
  }

  private static String row(ConfigSource.Setting setting) {
    return "| `%s` | `%s` | %s | %s |"
        .formatted(
            setting.property(),
            setting.property().replaceAll("[.-]", "_").toUpperCase(Locale.ROOT),
            setting.byDefault() == null ? "" : "`" + setting.byDefault() + "`",
            setting.meaning());
  }
}
