package dev.cairn.access;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A kind of caller: a column of the caller matrix.
 *
 * @param name what the column is called
 * @param meaning who that is, for the legend
 * @param token what the caller sends; null for nothing
 */
record MatrixColumn(String name, String meaning, Function<MatrixWorld, String> token) {
  private static final String NARROWED =
      "`repo:read` and `repo:write` on the repository, with `allowedMatches` ";

  /** The permissions on repositories, as elements of a JSON array with ' for ". */
  static final String OF_REPOSITORIES =
      Arrays.stream(Permission.values())
          .filter(Permission::isOfRepositories)
          .map(permission -> "'" + permission.scope() + "'")
          .collect(Collectors.joining(","));

  /** All of them, in the order of the page. */
  static final List<MatrixColumn> ALL =
      Stream.of(people(), permissions(), narrowed()).flatMap(List::stream).toList();

  private static List<MatrixColumn> people() {
    return List.of(
        new MatrixColumn("none", "no credentials", _ -> null),
        new MatrixColumn("str", "a stranger: an account without a role", MatrixWorld::stranger),
        role(Role.VIEWER, "a viewer"),
        role(Role.EDITOR, "an editor"),
        role(Role.ADMIN, "an admin"),
        role(Role.OWNER, "an owner"),
        new MatrixColumn("exp", "an expired token of an owner", MatrixWorld::expired),
        new MatrixColumn("rev", "a revoked token of an owner", MatrixWorld::revoked),
        new MatrixColumn("end", "an access token of an owner's ended session", MatrixWorld::ended),
        new MatrixColumn("pat", "a PAT of an owner, without scopes", world -> world.pat(null)));
  }

  private static MatrixColumn role(Role role, String meaning) {
    return new MatrixColumn(name(role), meaning, world -> world.member(role));
  }

  private static List<MatrixColumn> permissions() {
    return Arrays.stream(Permission.values())
        .map(
            permission ->
                new MatrixColumn(
                    name(permission),
                    "a PAT of an owner: `%s` on the organization".formatted(permission.scope()),
                    world ->
                        world.pat(
                            "{'resource':':org','permissions':['%s']}"
                                .formatted(permission.scope()))))
        .toList();
  }

  private static List<MatrixColumn> narrowed() {
    return List.of(
        narrowed("in", "that match what the request names", "'Note/**'"),
        narrowed("out", "that do not match it", "'Other/**'"),
        narrowed("deny", "`[]`", ""),
        new MatrixColumn(
            "else",
            "a PAT of an owner: every `repo:` permission on another repository there",
            world ->
                world.pat(
                    "{'resource':':org/other','permissions':[%s]}".formatted(OF_REPOSITORIES))),
        new MatrixColumn(
            "svc",
            "a service token of an owner: every `repo:` permission on the repository",
            MatrixWorld::serviceToken),
        new MatrixColumn(
            "cmp",
            "the token of a component that an owner installed: `repo:read` and `repo:write` on the"
                + " repository",
            MatrixWorld::componentToken));
  }

  private static MatrixColumn narrowed(String name, String which, String patterns) {
    return new MatrixColumn(
        name,
        "a PAT of an owner: " + NARROWED + which,
        world ->
            world.pat(
                "{'resource':':org/:repo','permissions':['repo:read','repo:write'],'allowedMatches':[%s]}"
                    .formatted(patterns)));
  }

  /** The column of a role. */
  static String name(Role role) {
    return switch (role) {
      case VIEWER -> "view";
      case EDITOR -> "edit";
      case ADMIN -> "adm";
      case OWNER -> "own";
    };
  }

  /** The column of a permission: the first letters of its words, {@code r:cr}. */
  static String name(Permission permission) {
    var initials = permission.name().toLowerCase(Locale.ROOT).replaceAll("([a-z])[a-z]*_?", "$1");
    return initials.charAt(0) + ":" + initials.substring(1);
  }
}
