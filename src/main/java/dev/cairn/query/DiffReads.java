package dev.cairn.query;

import static dev.cairn.platform.page.Page.CURSOR;
import static dev.cairn.platform.page.Page.LIMIT;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.content.At;
import dev.cairn.content.Moments;
import dev.cairn.content.RepositoryHeads;
import dev.cairn.content.read.Differences;
import dev.cairn.content.read.PageKey;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.platform.page.Cursors;
import dev.cairn.platform.page.Page;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Compares two moments of a repository; see {@code docs/reads.md}, Differences. */
@ApplicationScoped
public class DiffReads {
  private final Database database;
  private final Differences differences;
  private final RepositoryHeads heads;
  private final Moments moments;
  private final ReadBounds bounds;
  private final Cursors cursors;

  /**
   * One difference.
   *
   * @param wref the entity by its current name
   * @param change {@code added}, {@code revised}, {@code retracted}, {@code restored} or {@code
   *     renamed}
   * @param fromVersion its version at the first moment; null if it did not exist yet
   * @param toVersion its version at the second moment
   * @param fromWref its wref at the first moment; null if it was not renamed since
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Difference(
      String wref, String change, Integer fromVersion, Integer toVersion, String fromWref) {}

  /**
   * What is compared.
   *
   * @param to empty for the current state; later pages keep the moment of the first page
   */
  public record Request(At from, Optional<At> to, int limit, Optional<String> cursor) {
    /** The names of the parameters. */
    public static final Set<String> PARAMETERS = Set.of("from", "to", LIMIT, CURSOR);

    /**
     * The request of parameters.
     *
     * @param parameters of {@link #PARAMETERS}
     */
    public static Request of(QueryParameters parameters) {
      var from =
          parameters
              .text("from")
              .map(text -> At.parse("?from", text))
              .orElseThrow(
                  () ->
                      Problem.invalid(
                          "?from", "`from` is required: a commit id or a `repoSeq`, or 0."));
      return new Request(
          from,
          parameters.text("to").map(text -> At.parse("?to", text)),
          Page.limit(parameters),
          parameters.text(CURSOR));
    }
  }

  /** A position in the list; the first page fixes the moment {@code to} for all pages. */
  private record Walk(long to, PageKey after) {
    static Walk of(List<String> keys) {
      return new Walk(Long.parseLong(keys.getFirst()), PageKey.of(keys.subList(1, keys.size())));
    }
  }

  DiffReads(
      Database database,
      Differences differences,
      RepositoryHeads heads,
      Moments moments,
      ReadBounds bounds,
      Cursors cursors) {
    this.database = database;
    this.differences = differences;
    this.heads = heads;
    this.moments = moments;
    this.bounds = bounds;
    this.cursors = cursors;
  }

  /** A page of the differences between active entities, in the order of names. */
  public Page<Difference> page(RepositoryAccess access, Request request) {
    return bounds.within(access, () -> database.snapshot(() -> answer(access, request)));
  }

  private Page<Difference> answer(RepositoryAccess access, Request request) {
    int limit = request.limit();
    var list = "diff %s %s %s".formatted(access.repoId(), request.from(), request.to());
    var after = request.cursor().map(c -> cursors.read(list, c, Walk::of));
    long first = moments.find(access, request.from()).seq();
    var walk = after.orElseGet(() -> begin(access, request.to()));
    if (first > walk.to()) {
      throw Problem.invalid("?from", "`from` must not be later than `to`.");
    }
    var rows = differences.list(access.repoId(), first, walk.to(), walk.after(), limit + 1);
    var page =
        Page.of(rows, limit, row -> cursors.of(list, walk.to(), row.shapeName(), row.name()));
    return new Page<>(page.items().stream().map(DiffReads::shown).toList(), page.nextCursor())
        .withRepoSeq(walk.to(), request.cursor());
  }

  private Walk begin(RepositoryAccess access, Optional<At> to) {
    long end =
        to.map(at -> moments.find(access, at).seq())
            // Read in the same snapshot as the content, which may be newer than the access check.
            .orElseGet(() -> heads.newest(access.repoId()));
    return new Walk(end, new PageKey("", ""));
  }

  private static Difference shown(Differences.Difference row) {
    return new Difference(
        row.shapeName() + "/" + row.name(),
        row.change(),
        row.fromVersion(),
        row.toVersion(),
        row.fromName() == null ? null : row.shapeName() + "/" + row.fromName());
  }
}
