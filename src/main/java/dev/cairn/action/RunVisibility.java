package dev.cairn.action;

import static dev.cairn.access.Permission.REPO_READ;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.platform.page.Page;
import dev.cairn.subscription.Sources;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * What a caller sees of runs, by what it may read: the run's own repository, and the one that its
 * commit is from. See {@code docs/actions.md}, What callers see.
 */
@ApplicationScoped
public class RunVisibility {
  private final Sources sources;

  /**
   * A row about a run.
   *
   * @param item null for a run without attempts
   * @param source the repository that the run's commit is from; null for a schedule
   * @param keys the page key of the row
   */
  public record Found<T>(T item, UUID source, List<?> keys) {
    /** Takes the source from the row's column {@code source_repo_id}. */
    public static <T> Found<T> of(ResultSet row, T item, Object... keys) throws SQLException {
      return new Found<>(item, row.getObject("source_repo_id", UUID.class), List.of(keys));
    }
  }

  RunVisibility(Sources sources) {
    this.sources = sources;
  }

  /** A page as the caller sees it. */
  public <T> Page<T> shown(
      RepositoryAccess access, Page<Found<T>> page, UnaryOperator<T> withoutSource) {
    return new Page<>(shown(access, page.items(), withoutSource), page.nextCursor());
  }

  /**
   * Rows as the caller sees them.
   *
   * @param withoutSource leaves out what is about the repository that the commit is from
   */
  public <T> List<T> shown(
      RepositoryAccess access, List<Found<T>> rows, UnaryOperator<T> withoutSource) {
    var readable = readable(access, rows);
    return rows.stream()
        .map(row -> readable.test(row) ? row.item() : withoutSource.apply(row.item()))
        .toList();
  }

  /**
   * Tells of each row whether its commit is from the run's own repository, or from another one that
   * the caller may read entirely. One that was deleted cannot be read by anyone. All rows take two
   * queries together, or none if no commit is from another repository.
   */
  public <T> Predicate<Found<T>> readable(RepositoryAccess access, List<Found<T>> rows) {
    var hidden =
        rows.stream()
            .map(Found::source)
            .filter(source -> source != null && !source.equals(access.repoId()))
            .collect(Collectors.toSet());
    hidden.removeAll(sources.readable(access, hidden));
    return row -> !hidden.contains(row.source());
  }

  /**
   * Whether the caller sees what commands wrote and what callbacks report. Both may contain content
   * of the repository, so only callers that may read it and change subscriptions see them.
   */
  public static boolean seesOutput(RepositoryAccess access) {
    return access.allows(REPO_READ) && access.seesDetails();
  }

  /**
   * A message that a callback gave, as it is stored: below an empty first line, because none of it
   * is the service's own.
   *
   * @param text null for none
   */
  static String notOurs(String text) {
    return text == null ? null : "\n" + text;
  }

  /**
   * A stored message as the caller sees it. Its first line is the service's own; what a command
   * wrote or a callback reported is below.
   *
   * @return the first line for callers that do not see the output, null if it is empty; null for
   *     those that may not read the repository
   */
  public static String message(String stored, RepositoryAccess access) {
    if (stored == null || !access.allows(REPO_READ)) {
      return null;
    }
    var ours = stored.lines().findFirst().orElse("");
    if (seesOutput(access)) {
      return ours.isEmpty() ? stored.strip() : stored;
    }
    return ours.isEmpty() ? null : ours;
  }
}
