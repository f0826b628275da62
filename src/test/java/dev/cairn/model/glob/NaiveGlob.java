package dev.cairn.model.glob;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The glob rules word for word, by trying everything; an oracle for short patterns. */
public final class NaiveGlob {
  private static final Pattern BRACES = Pattern.compile("\\{([^}]*)}");

  private NaiveGlob() {}

  public static boolean matches(String glob, String wref) {
    return segments(List.of(glob.split("/", -1)), List.of(wref.split("/", -1)));
  }

  private static boolean segments(List<String> globs, List<String> segments) {
    if (globs.isEmpty()) {
      return segments.isEmpty();
    }
    var rest = globs.subList(1, globs.size());
    if (globs.getFirst().equals("**")) {
      for (int skipped = 0; skipped <= segments.size(); skipped++) {
        if (segments(rest, segments.subList(skipped, segments.size()))) {
          return true;
        }
      }
      return false;
    }
    return !segments.isEmpty()
        && alternatives(globs.getFirst()).stream()
            .anyMatch(glob -> characters(points(glob), points(segments.getFirst())))
        && segments(rest, segments.subList(1, segments.size()));
  }

  private static List<String> alternatives(String glob) {
    var braces = BRACES.matcher(glob);
    if (!braces.find()) {
      return List.of(glob);
    }
    var all = new ArrayList<String>();
    for (var choice : braces.group(1).split(",", -1)) {
      all.addAll(
          alternatives(glob.substring(0, braces.start()) + choice + glob.substring(braces.end())));
    }
    return all;
  }

  private static List<Integer> points(String text) {
    return text.codePoints().boxed().toList();
  }

  private static boolean characters(List<Integer> glob, List<Integer> text) {
    if (glob.isEmpty()) {
      return text.isEmpty();
    }
    var rest = glob.subList(1, glob.size());
    if (glob.getFirst() == '*') {
      for (int skipped = 0; skipped <= text.size(); skipped++) {
        if (characters(rest, text.subList(skipped, text.size()))) {
          return true;
        }
      }
      return false;
    }
    return !text.isEmpty()
        && (glob.getFirst() == '?' || glob.getFirst().equals(text.getFirst()))
        && characters(rest, text.subList(1, text.size()));
  }
}
