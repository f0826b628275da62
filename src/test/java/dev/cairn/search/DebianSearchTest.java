package dev.cairn.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.Prepared;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Search: twenty queries that people ask about packages of Debian, and what they expect among the
 * first ten. The packages are about 700 of those of Debian 12, with their summaries and tags.
 */
@HttpTest
@QuarkusTest
class DebianSearchTest {
  private static final Path PACKAGES = Path.of("src/test/resources/search/debian.ndjson");

  private static final int FIRST = 10;

  private static String repository;

  /** The mean of 1 / position of the first expected package. */
  private static final double LEAST_MEAN_RECIPROCAL_RANK = 0.6;

  private static final Map<String, List<String>> EXPECTED =
      Map.ofEntries(
          Map.entry("web browser", List.of("firefox-esr", "chromium", "epiphany-browser")),
          Map.entry("postgresql client", List.of("postgresql-client")),
          Map.entry("arabic fonts", List.of("fonts-arabeyes", "fonts-kacst")),
          Map.entry("image viewer -gtk", List.of("feh", "sxiv")),
          Map.entry("\"terminal emulator\"", List.of("xterm", "gnome-terminal", "kitty")),
          Map.entry("stdc", List.of("libstdc++6")),
          Map.entry("libstdc++6", List.of("libstdc++6")),
          Map.entry("postgresql", List.of("postgresql")),
          Map.entry("python3 numpy", List.of("python3-numpy")),
          Map.entry("spreadsheet", List.of("libreoffice-calc", "gnumeric")),
          Map.entry("text editor", List.of("nano", "vim", "gnome-text-editor")),
          Map.entry("mail client", List.of("thunderbird", "mutt")),
          Map.entry("emacs or vim", List.of("emacs", "vim")),
          Map.entry("chess game", List.of("gnuchess", "xboard", "gnome-chess")),
          Map.entry("pdf viewer", List.of("evince", "okular", "mupdf", "zathura-pdf-poppler")),
          Map.entry("archiver zip", List.of("zip")),
          Map.entry("ssh server", List.of("openssh-server", "task-ssh-server")),
          Map.entry("video player", List.of("vlc", "mpv")),
          Map.entry("gimp", List.of("gimp")),
          Map.entry("firef", List.of("firefox-esr")));

  @ParameterizedTest
  @ValueSource(strings = {"text", "hybrid"})
  void what_people_look_for_is_among_the_first_ten(String mode) throws IOException {
    packages();
    double sum = 0;
    var missed = new StringBuilder();
    for (var query : EXPECTED.entrySet()) {
      var found =
          Searches.page(repository, query.getKey(), "&limit=" + FIRST + "&mode=" + mode)
              .<String>getList("items.name");
      int first =
          query.getValue().stream().mapToInt(found::indexOf).filter(i -> i >= 0).min().orElse(-1);
      sum += first < 0 ? 0 : 1.0 / (first + 1);
      if (first < 0) {
        missed.append("\n%s: %s".formatted(query.getKey(), found));
      }
    }
    assertTrue(missed.isEmpty(), missed.toString());
    double mean = sum / EXPECTED.size();
    assertTrue(mean >= LEAST_MEAN_RECIPROCAL_RANK, "mean reciprocal rank " + mean);
  }

  @ParameterizedTest
  @CsvSource({
    "postgrsql, vector, postgresql",
    "postgrsql, hybrid, postgresql",
    "thunderbrid, vector, thunderbird",
    "thunderbrid, hybrid, thunderbird",
    "chromium brouser, vector, chromium",
    "libstdc++6, hybrid, libstdc++6",
    "web browser, hybrid, chromium",
  })
  void similar_packages_are_among_the_first_ten(String query, String mode, String expected)
      throws IOException {
    var found =
        Searches.page(packages(), query, "&limit=" + FIRST + "&mode=" + mode)
            .<String>getList("items.name");
    assertTrue(found.contains(expected), query + ": " + found);
  }

  @Test
  void a_whole_name_is_first_in_hybrid_search() throws IOException {
    packages();
    for (var name : List.of("gimp", "libstdc++6", "python3-numpy", "postgresql", "zip")) {
      assertEquals(
          name, Searches.page(repository, name, "&mode=hybrid").getString("items[0].name"));
    }
  }

  private static String packages() throws IOException {
    if (repository == null) {
      repository = newPackages();
    }
    return repository;
  }

  private static String newPackages() throws IOException {
    var added = Api.newRepository();
    Prepared.commit(
        added,
        """
        {'operation':'add','kind':'shape','name':'Package','data':{'fields':{
          'summary':'string','section':'string','tags':['string']}}}
        """);
    var json = new ObjectMapper();
    var operations = json.createArrayNode();
    for (var line : Files.readAllLines(PACKAGES)) {
      var data = json.readTree(line);
      var operation = operations.addObject().put("operation", "add");
      operation.put("name", "Package/" + data.get("name").textValue());
      operation.set("data", ((ObjectNode) data).without("name"));
    }
    Prepared.answer(
        201,
        Api.adminToken(),
        "POST",
        added + "/commits",
        json.createObjectNode().set("operations", operations));
    return added;
  }
}
