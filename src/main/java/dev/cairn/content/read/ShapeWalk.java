package dev.cairn.content.read;

import dev.cairn.content.Moment;
import dev.cairn.content.Predicates;
import dev.cairn.content.StoredShapes;
import dev.cairn.model.glob.Glob;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The shapes of a repository in the order of their names, for reads that look into one shape after
 * another: at the names that a pattern begins with, or at the shapes that had entities at a moment.
 *
 * @param sql a table {@code r (shape_name)}
 * @param parameters the parameters of {@code sql}, in order
 */
public record ShapeWalk(String sql, List<Object> parameters) {
  /** The condition of being of the shape {@code r}, for use after other conditions. */
  public static final String WITHIN = " and e.shape_name = r.shape_name";

  /** A shape had entities at a moment if it has a version from before it, in any state. */
  private static final String EXISTED =
      """
      exists (
         select 1 from entity_version v
         where v.repo_id = s.repo_id and v.shape_id = s.id and v.valid_from <= ?
         offset 0)
      """;

  /** Whether a pattern is looked for in this way: its shape varies, but not how the name begins. */
  public static boolean suits(Glob pattern) {
    return pattern.shapeName().isEmpty() && !pattern.namePrefix().isEmpty();
  }

  /**
   * The shapes from a name on.
   *
   * @param only the name of the only shape to look at; empty for all
   * @param moment the moment at which entities must have existed; empty for the current state
   * @param from the name of the first shape; empty to begin with the first one
   */
  public static ShapeWalk of(
      UUID repoId, Optional<String> only, Optional<Moment> moment, String from) {
    var where =
        new Predicates(
            "s.repo_id = ? and " + StoredShapes.any("s") + " and s.name >= ?", repoId, from);
    only.ifPresent(name -> where.and("s.name = ?", name));
    moment.ifPresent(m -> where.and(EXISTED, m.seq()));
    return new ShapeWalk(
        "(select s.name as shape_name from entity s "
            + where.sql()
            + " order by s.name offset 0) r",
        List.of(where.parameters()));
  }
}
