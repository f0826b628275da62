package dev.cairn.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Disabled;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * A page of the docs: its links, and the tests that its tables name.
 *
 * @param path where it is, from the top of the project
 */
public record DocsPage(Path path) {
  private static final Pattern NAMED_TEST = Pattern.compile("`([a-zA-Z.]+)#(\\w+)`");
  private static final Pattern LINK = Pattern.compile("]\\(([^)#:]*)(?:#([^)]*))?\\)");

  /** The rows of all tables from a heading on, without the head of each table. */
  List<String> rowsFrom(String heading) throws IOException {
    var page = Files.readString(path);
    var lines = page.substring(page.indexOf(heading)).lines().toList();
    var rows = new ArrayList<String>();
    for (int i = 0; i < lines.size(); i++) {
      boolean isHead = i + 1 < lines.size() && lines.get(i + 1).startsWith("|---");
      if (lines.get(i).startsWith("| ") && !isHead) {
        rows.add(lines.get(i));
      }
    }
    return rows;
  }

  static boolean namesTest(String row) {
    return NAMED_TEST.matcher(row).find();
  }

  /** The tests that a row names, and that are not there or never run. */
  static Stream<String> missingTests(String row) {
    return NAMED_TEST
        .matcher(row)
        .results()
        .filter(test -> !isTest(test.group(1), test.group(2)))
        .map(MatchResult::group);
  }

  private static boolean isTest(String type, String method) {
    try {
      var tests = Class.forName("dev.cairn." + type, false, DocsPage.class.getClassLoader());
      return Arrays.stream(tests.getDeclaredMethods())
          .anyMatch(
              m ->
                  m.getName().equals(method)
                      && AnnotationSupport.isAnnotated(m, Testable.class)
                      && !AnnotationSupport.isAnnotated(m, Disabled.class));
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  static boolean hasLink(String row) {
    return LINK.matcher(row).find();
  }

  /** The links of a text on this page to files and sections of the project that are not there. */
  Stream<String> brokenLinks(String text) {
    return LINK.matcher(text)
        .results()
        .filter(link -> !isSection(link.group(1), link.group(2)))
        .map(MatchResult::group);
  }

  private boolean isSection(String page, String section) {
    var target = page.isEmpty() ? path : path.resolveSibling(page);
    if (section == null) {
      return Files.exists(target);
    }
    try (var lines = Files.lines(target)) {
      return lines
          .filter(line -> line.startsWith("#"))
          .anyMatch(line -> anchor(line).equals(section));
    } catch (IOException e) {
      return false;
    }
  }

  /** The anchor of the section whose heading a reference begins with, if there is one. */
  public Optional<String> anchorOf(String reference) {
    try (var lines = Files.lines(path)) {
      return lines
          .filter(line -> line.startsWith("#"))
          .filter(line -> reference.startsWith(line.replaceAll("^#+ |: .*| \\(.*", "")))
          .max(Comparator.comparingInt(String::length))
          .map(DocsPage::anchor);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String anchor(String heading) {
    return heading
        .replaceFirst("^#+ ", "")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N} _-]", "")
        .replace(' ', '-');
  }
}
