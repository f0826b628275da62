package dev.cairn.cli.bulk;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Decisions as a short text for the state file: each sign after how often it repeats. */
final class Decisions {
  private static final Pattern RUN = Pattern.compile("([0-9]+)([a-z])");

  private Decisions() {}

  static String encode(List<Decision> decisions) {
    var text = new StringBuilder();
    for (int i = 0, end; i < decisions.size(); i = end) {
      end = i + 1;
      while (end < decisions.size() && decisions.get(end) == decisions.get(i)) {
        end++;
      }
      text.append(end - i).append(decisions.get(i).sign());
    }
    return text.toString();
  }

  static List<Decision> decode(String text) {
    List<Decision> decisions = new ArrayList<>();
    var runs = RUN.matcher(text);
    while (runs.find()) {
      var decision = Decision.of(runs.group(2).charAt(0));
      for (int n = Integer.parseInt(runs.group(1)); n > 0; n--) {
        decisions.add(decision);
      }
    }
    return decisions;
  }
}
