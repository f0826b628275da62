package dev.cairn.cli.bulk;

import java.util.regex.Pattern;

/** Names of fields of a shape: {@code docs/model.md}, Names. */
final class FieldNames {
  private static final int MAX_CHARACTERS = 64;
  private static final Pattern VALID = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]{0,63}");
  private static final Pattern OTHERS = Pattern.compile("[^A-Za-z0-9_-]+");

  private FieldNames() {}

  static boolean isValid(String name) {
    return VALID.matcher(name).matches();
  }

  /**
   * The field that a column is stored as: what a field's name cannot have becomes an underscore.
   *
   * @return empty if nothing is left
   */
  static String from(String column) {
    var name = OTHERS.matcher(column.strip()).replaceAll("_");
    if (name.isEmpty() || name.equals("_")) {
      return "";
    }
    if (!isValid(name.substring(0, 1))) {
      name = "_" + name;
    }
    return name.length() > MAX_CHARACTERS ? name.substring(0, MAX_CHARACTERS) : name;
  }
}
