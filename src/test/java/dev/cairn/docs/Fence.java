package dev.cairn.docs;

import dev.cairn.TextFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A fenced block of a page: commands, an example, or a drawing.
 *
 * @param page where it is, from the top of the project
 * @param section the heading above it
 * @param line the number of its first line, that of the fence
 * @param language what follows the fence, empty for none
 * @param text its lines, without the indentation of the fence
 * @param followsFence whether only blank lines are between it and the block before
 */
record Fence(
    Path page, String section, int line, String language, String text, boolean followsFence) {
  private static final Pattern BEGIN = Pattern.compile("( *)```(.*)");

  /** All blocks of a page, in their order. */
  static List<Fence> of(Path page) {
    var fences = new ArrayList<Fence>();
    var lines = TextFile.read(page).lines().toList();
    var section = "";
    boolean followsFence = false;
    for (int i = 0; i < lines.size(); i++) {
      var begin = BEGIN.matcher(lines.get(i));
      if (begin.matches()) {
        int end = i + 1 + lines.subList(i + 1, lines.size()).indexOf(begin.group(1) + "```");
        if (end == i) {
          throw new AssertionError("%s:%d: the block has no end".formatted(page, i + 1));
        }
        var text =
            String.join("\n", lines.subList(i + 1, end)).replaceAll("(?m)^" + begin.group(1), "");
        fences.add(new Fence(page, section, i + 1, begin.group(2).strip(), text, followsFence));
        followsFence = true;
        i = end;
      } else if (lines.get(i).startsWith("#")) {
        section = lines.get(i).replaceFirst("^#+ ", "");
        followsFence = false;
      } else if (!lines.get(i).isBlank()) {
        followsFence = false;
      }
    }
    return fences;
  }

  /** The page and the section, as tables of the tests name it. */
  String place() {
    return page + ", " + section;
  }

  @Override
  public String toString() {
    return "%s:%d".formatted(page, line);
  }
}
