package dev.cairn.query;

import static dev.cairn.platform.page.Page.CURSOR;
import static dev.cairn.platform.page.Page.LIMIT;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.content.AboutOrder;
import dev.cairn.content.EntityRow;
import dev.cairn.content.Predicates;
import dev.cairn.model.Problem;
import dev.cairn.model.Wref;
import dev.cairn.model.glob.Glob;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.platform.page.Cursor;
import dev.cairn.platform.page.JsonOut;
import dev.cairn.platform.page.JsonPage;
import dev.cairn.platform.page.Page;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the assertions about an entity, and those about the assertions. They are ordered newest
 * first, and within one commit the later operation first; see {@code docs/reads.md}, Assertions
 * about an entity.
 */
@ApplicationScoped
public class AboutReads {
  private final Database database;
  private final Targets targets;
  private final ReadBounds bounds;

  /**
   * The parameters of a request.
   *
   * @param depth 1 for the assertions alone, up to 5 for assertions about them as well
   */
  public record Request(
      Optional<String> shape,
      Optional<Glob> match,
      int depth,
      boolean resolveCollections,
      int limit,
      Optional<String> cursor) {

    /** The names of the parameters. */
    public static final Set<String> PARAMETERS =
        Set.of("shape", "match", "depth", "resolveCollections", LIMIT, CURSOR);

    private static final int MAX_DEPTH = 5;

    /** Reads the parameters of a request. */
    public static Request of(QueryParameters parameters) {
      return new Request(
          EntityFilter.shape(parameters),
          parameters.text("match").map(t -> EntityFilter.parsed("match", t, Glob::parse)),
          parameters.integer("depth", 1, MAX_DEPTH).orElse(1),
          parameters.flag("resolveCollections"),
          Page.limit(parameters),
          parameters.text(CURSOR));
    }
  }

  AboutReads(Database database, Targets targets, ReadBounds bounds) {
    this.database = database;
    this.targets = targets;
    this.bounds = bounds;
  }

  /**
   * The target and a page of assertions, in one snapshot: {@code { target, assertions, nextCursor?
   * }}.
   */
  public JsonPage about(RepositoryAccess access, Wref wref, Request request) {
    return bounds.within(access, () -> database.snapshot(() -> answer(access, wref, request)));
  }

  private JsonPage answer(RepositoryAccess access, Wref wref, Request request) {
    var out = new JsonOut().object().name("target");
    var target = target(access, wref, out);
    var list =
        "about %s %s %s %s %s %s"
            .formatted(
                access.repoId(),
                wref,
                request.shape(),
                request.match(),
                request.depth(),
                request.resolveCollections());
    var tree = new AssertionTree(database, access);
    var next = tree.roots(where(access, target, request, list), request.limit(), list);
    tree.descend(request.depth());
    tree.write(out.name("assertions"));
    return out.endPage(next);
  }

  /** Finds the target and writes it. */
  private Targets.Target target(RepositoryAccess access, Wref wref, JsonOut out) {
    boolean here = access.isNamedBy(wref);
    var repository = here ? "" : Wref.SCHEME + wref.repository() + "/";
    var target =
        targets
            .find(
                access,
                wref,
                EntityRow.COLUMNS,
                row -> Items.write(out, EntityRow.read(row), true, repository))
            .orElseThrow(() -> Problem.notFound("There is no `" + wref.unversioned() + "`."));
    if (target.pinned() != null && target.pinned() > target.version()) {
      throw Problem.notFound(
          "There is no version %d of `%s`.".formatted(target.pinned(), wref.unversioned()));
    }
    return target;
  }

  private Predicates where(
      RepositoryAccess access, Targets.Target target, Request request, String list) {
    var where =
        new Predicates("e.repo_id = ? and e.active", access.repoId()).narrowed(access.narrowing());
    targets.about(where, target, access, request.resolveCollections());
    request.shape().ifPresent(shape -> where.and("e.shape_name = ?", shape));
    request.match().ifPresent(where::matches);
    request.cursor().map(cursor -> Cursor.keys(list, cursor)).ifPresent(keys -> after(where, keys));
    return where;
  }

  private static void after(Predicates where, List<String> keys) {
    AboutOrder.after(where, Long.parseLong(keys.get(0)), Long.parseLong(keys.get(1)));
  }
}
