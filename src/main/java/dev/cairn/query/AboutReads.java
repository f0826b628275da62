package dev.cairn.query;

import static dev.cairn.access.Permission.REPO_READ;
import static dev.cairn.platform.page.Page.CURSOR;
import static dev.cairn.platform.page.Page.LIMIT;
import static dev.cairn.query.ShownFields.FIELDS;

import dev.cairn.access.Recheck;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.content.EntityRow;
import dev.cairn.content.Predicates;
import dev.cairn.content.read.AboutOrder;
import dev.cairn.content.read.AssertionPages;
import dev.cairn.content.read.ContainingCollections;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.model.Wref;
import dev.cairn.model.glob.Glob;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.platform.memory.PageBytes;
import dev.cairn.platform.page.Cursors;
import dev.cairn.platform.page.JsonOut;
import dev.cairn.platform.page.JsonPage;
import dev.cairn.platform.page.Page;
import dev.cairn.platform.page.Pager;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/**
 * Reads the assertions about an entity, and those about the assertions. They are ordered newest
 * first, and within one commit the later operation first; see {@code docs/reads.md}, Assertions
 * about an entity.
 */
@ApplicationScoped
public class AboutReads {
  private static final String COLUMNS = EntityRow.PAGED + ", " + EntityRow.SIZE + " as size";

  private final Database database;
  private final Targets targets;
  private final AboutTargets aboutTargets;
  private final ReadBounds bounds;
  private final Cursors cursors;
  private final Recheck recheck;

  /**
   * The parameters of a request.
   *
   * @param depth 1 for the assertions alone, up to 5 for assertions about them as well
   * @param fields the part of the assertions' data to show
   */
  public record Request(
      Optional<String> shape,
      Optional<Glob> match,
      int depth,
      boolean resolveCollections,
      ShownFields fields,
      int limit,
      Optional<String> cursor) {

    /** The names of the parameters. */
    public static final Set<String> PARAMETERS =
        Set.of("shape", "match", "depth", "resolveCollections", FIELDS, LIMIT, CURSOR);

    /** The names of the parameters of a request for several targets, which has no pages. */
    public static final Set<String> PARAMETERS_OF_MANY =
        Set.of("wref", "shape", "match", "depth", "resolveCollections", FIELDS, LIMIT);

    /** The parameters of such a request that may be given more than once. */
    public static final Set<String> REPEATABLE = Set.of("wref");

    private static final int MAX_DEPTH = 5;

    /** Reads the parameters of a request. */
    public static Request of(QueryParameters parameters) {
      return new Request(
          EntityFilter.shape(parameters),
          parameters.text("match").map(t -> EntityFilter.parsed("?match", t, Glob::parse)),
          parameters.integer("depth", 1, MAX_DEPTH).orElse(1),
          parameters.flag("resolveCollections"),
          ShownFields.of(parameters),
          Page.limit(parameters),
          parameters.text(CURSOR));
    }

    private void narrow(Predicates where) {
      shape.ifPresent(name -> where.and("e.shape_name = ?", name));
      match.ifPresent(where::matches);
    }
  }

  /** The targets of a request for several. */
  public record Many(List<String> texts, List<Wref> wrefs) {
    private static final int MAX_TARGETS = 100;

    /** Reads the parameter {@code wref}. */
    public static Many of(QueryParameters parameters) {
      var texts = parameters.texts("wref");
      if (texts.isEmpty() || texts.size() > MAX_TARGETS) {
        throw Problem.invalid(
            "?wref",
            "`wref` must be given 1 to %d times, not %d.".formatted(MAX_TARGETS, texts.size()));
      }
      return new Many(
          texts, texts.stream().map(text -> EntityFilter.named("?wref", text)).toList());
    }
  }

  AboutReads(
      Database database,
      Targets targets,
      AboutTargets aboutTargets,
      ReadBounds bounds,
      Cursors cursors,
      Recheck recheck) {
    this.database = database;
    this.targets = targets;
    this.aboutTargets = aboutTargets;
    this.bounds = bounds;
    this.cursors = cursors;
    this.recheck = recheck;
  }

  /**
   * The target and a page of assertions, in one snapshot: {@code { target, assertions, repoSeq?,
   * nextCursor? }}.
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
    var tree = new AssertionTree(database, access, request.fields());
    var pager = new Pager(cursors, list, request.limit());
    tree.roots(where(access, target, request, list), request.limit(), pager);
    tree.descend(request.depth());
    tree.write(out.name("assertions"));
    return out.endPage(request.cursor(), access.seq(), pager.next());
  }

  /**
   * Several targets, each with the newest assertions about it, in one snapshot: {@code { items: [{
   * target, assertions, assertionsTruncated? }], missing, repoSeq }}.
   */
  public byte[] about(RepositoryAccess access, Many many, Request request) {
    return PageBytes.uncut(
        () ->
            bounds.within(
                access,
                () -> database.snapshot(() -> answer(access.forRepeatedRead(), many, request))),
        () -> recheck.requireStill(access, REPO_READ));
  }

  private byte[] answer(RepositoryAccess access, Many many, Request request) {
    var items = new HashMap<Wref, EntityRow>();
    var bytes = new LongAdder();
    var found =
        targets.find(
            access,
            many.wrefs(),
            new Targets.Columns(
                COLUMNS,
                List.of(PageBytes.max()),
                (wref, row) -> {
                  var entity = EntityRow.read(row);
                  if (entity.data() == null) {
                    throw Problem.of(
                        ErrorCode.PAYLOAD_TOO_LARGE,
                        "The targets would have more than %,d bytes: request fewer."
                            .formatted(PageBytes.max()));
                  }
                  bytes.add(row.getLong("size"));
                  items.put(wref, entity);
                }));
    var shown =
        many.wrefs().stream()
            .filter(wref -> found.containsKey(wref) && found.get(wref).exists())
            .distinct()
            .toList();
    var tree = new AssertionTree(database, access, request.fields());
    var where = AssertionTree.where(access);
    request.narrow(where);
    tree.roots(
        withContainers(access, shown.stream().map(found::get).toList(), request),
        where,
        request.limit(),
        bytes.sum());
    tree.descend(request.depth());
    var out = new JsonOut().object().name("items").array();
    for (int i = 0; i < shown.size(); i++) {
      var wref = shown.get(i);
      out.object();
      Items.write(out.name("target"), items.get(wref), true, repository(access, wref));
      tree.write(i, out);
      out.end();
    }
    out.endArray().name("missing").array();
    for (int i = 0; i < many.wrefs().size(); i++) {
      if (!shown.contains(many.wrefs().get(i))) {
        out.value(many.texts().get(i));
      }
    }
    return out.endArray().name("repoSeq").value(access.seq()).end().toBytes();
  }

  /** Each target, followed by the collections that contain it if they are resolved. */
  private List<List<Targets.Target>> withContainers(
      RepositoryAccess access, List<Targets.Target> found, Request request) {
    var all = new ArrayList<List<Targets.Target>>();
    found.forEach(target -> all.add(new ArrayList<>(List.of(target))));
    if (request.resolveCollections()) {
      for (var container : aboutTargets.containers(access, found, Optional.empty())) {
        all.get(container.position())
            .add(new Targets.Target(access.repoId(), container.id(), 0, null));
      }
    }
    return all;
  }

  /** The prefix of the wrefs of another repository. */
  private static String repository(RepositoryAccess access, Wref wref) {
    return access.isNamedBy(wref) ? "" : Wref.SCHEME + wref.repository() + "/";
  }

  /** Finds the target and writes it. */
  private Targets.Target target(RepositoryAccess access, Wref wref, JsonOut out) {
    var target =
        targets
            .find(
                access,
                List.of(wref),
                new Targets.Columns(
                    EntityRow.COLUMNS,
                    List.of(),
                    (_, row) ->
                        Items.write(out, EntityRow.read(row), true, repository(access, wref))))
            .get(wref);
    if (target == null) {
      throw targets.missing(access, wref);
    }
    if (!target.exists()) {
      throw Targets.noVersion(target.pinned(), wref.unversioned());
    }
    return target;
  }

  private Predicates where(
      RepositoryAccess access, Targets.Target target, Request request, String list) {
    var where = AssertionTree.where(access);
    about(where, target, access, request.resolveCollections());
    request.narrow(where);
    request.cursor().ifPresent(c -> cursors.read(list, c, keys -> after(where, keys)));
    return where;
  }

  /** Narrows to assertions about the target, or also about collections that contain it now. */
  private void about(
      Predicates where,
      Targets.Target target,
      RepositoryAccess access,
      boolean resolveCollections) {
    var collections =
        resolveCollections
            ? aboutTargets.containers(access, List.of(target), Optional.empty()).stream()
                .mapToLong(ContainingCollections.Container::id)
                .toArray()
            : new long[0];
    AssertionPages.narrow(where, target.repoId(), target.id(), target.pinned(), collections);
  }

  private static Predicates after(Predicates where, List<String> keys) {
    return AboutOrder.after(where, Long.parseLong(keys.get(0)), Long.parseLong(keys.get(1)));
  }
}
