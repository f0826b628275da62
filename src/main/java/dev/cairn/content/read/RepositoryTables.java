package dev.cairn.content.read;

import dev.cairn.content.Moment;
import dev.cairn.content.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Tables with all the content of one repository, HEAD or its state at a moment, for a statement to
 * begin with. The database inlines them:
 *
 * <ul>
 *   <li>{@code exported}: the entities, for look-ups; {@code position} is their place in an order
 *   <li>{@code exported_by_id}: the same entities, for reading all of them in the order of their
 *       ids
 *   <li>{@code present}: the current entities
 *   <li>{@code edge}: the references; {@code is_local} is true if the target is in this repository
 *   <li>{@code inbound}: the references, for look-ups by target; for HEAD those of current
 *       versions, otherwise those of all versions
 * </ul>
 *
 * @param sql a clause {@code with}, which a {@code select} follows, or a comma and more tables
 * @param parameters the parameters of {@code sql}, in order
 */
public record RepositoryTables(String sql, List<Object> parameters) {
  private static final String TABLES =
      """
      with recursive exported as not materialized (
        select x.*, %3$s as position from %1$s x where x.repo_id = ?),
      exported_by_id as not materialized (
        select x.*, %3$s as position from %2$s x where x.repo_id = ?),
      present as not materialized (select * from entity where repo_id = ?),
      edge as not materialized (
        select r.*, r.to_repo_id = r.repo_id as is_local from reference r where r.repo_id = ?),
      inbound as not materialized (select * from edge where %4$s)
      """;

  /**
   * The current state of a repository.
   *
   * @param position SQL for the position of an entity {@code x}
   */
  public static RepositoryTables ofHead(UUID repoId, String position) {
    return of(repoId, Source.HEAD, Source.HEAD, position, "head");
  }

  /** The state of a repository at a moment; the position is that of {@link #ofHead}. */
  public static RepositoryTables of(Moment moment, String position) {
    return of(moment.repoId(), moment.byName(), moment.byId(), position, "true");
  }

  private static RepositoryTables of(
      UUID repoId, Source byName, Source byId, String position, String inbound) {
    var parameters = new ArrayList<Object>(byName.parameters());
    parameters.add(repoId);
    parameters.addAll(byId.parameters());
    parameters.addAll(List.of(repoId, repoId, repoId));
    return new RepositoryTables(
        TABLES.formatted(byName.sql(), byId.sql(), position, inbound), List.copyOf(parameters));
  }
}
