package dev.cairn.query;

import static dev.cairn.platform.page.Page.CURSOR;
import static dev.cairn.platform.page.Page.LIMIT;
import static dev.cairn.query.AboutFilter.ABOUT;
import static dev.cairn.query.ShownFields.FIELDS;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.content.Statement;
import dev.cairn.content.read.History;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.Problem;
import dev.cairn.model.Wref;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.platform.page.Cursors;
import dev.cairn.platform.page.JsonOut;
import dev.cairn.platform.page.JsonPage;
import dev.cairn.platform.page.Page;
import dev.cairn.platform.page.Pager;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Reads the versions of entities, newest first, each with the commit that made it. */
@ApplicationScoped
public class HistoryReads {
  private final Database database;
  private final Targets targets;
  private final AboutTargets aboutTargets;
  private final ReadBounds bounds;
  private final Cursors cursors;

  /**
   * Selects the entities whose versions are read: those that meet all given conditions, of which at
   * least one is given.
   *
   * @param wref one entity
   * @param shape the entities of one shape
   * @param about the assertions about any of these targets
   * @param fields the part of the data to show
   */
  public record Request(
      Optional<Wref> wref,
      Optional<String> shape,
      AboutFilter about,
      ShownFields fields,
      int limit,
      Optional<String> cursor) {

    /** The names of the parameters. */
    public static final Set<String> PARAMETERS =
        Set.of("wref", "shape", ABOUT, FIELDS, LIMIT, CURSOR);

    /** The parameters that may be given more than once. */
    public static final Set<String> REPEATABLE = Set.of(ABOUT);

    /** Reads the parameters of a request. */
    public static Request of(QueryParameters parameters) {
      var request =
          new Request(
              parameters.text("wref").map(text -> EntityFilter.named("?wref", text)),
              EntityFilter.shape(parameters),
              AboutFilter.of(parameters),
              ShownFields.of(parameters),
              Page.limit(parameters),
              parameters.text(CURSOR));
      if (request.wref.isEmpty() && request.shape.isEmpty() && request.about.isEmpty()) {
        throw Problem.invalid("?wref", "At least one of `wref`, `shape` and `about` is required.");
      }
      return request;
    }
  }

  HistoryReads(
      Database database,
      Targets targets,
      AboutTargets aboutTargets,
      ReadBounds bounds,
      Cursors cursors) {
    this.database = database;
    this.targets = targets;
    this.aboutTargets = aboutTargets;
    this.bounds = bounds;
    this.cursors = cursors;
  }

  /** A page of versions. */
  public JsonPage page(RepositoryAccess access, Request request) {
    Supplier<JsonPage> read = () -> answer(access, request);
    return bounds.within(access, request.about().isEmpty() ? read : () -> database.snapshot(read));
  }

  private JsonPage answer(RepositoryAccess access, Request request) {
    var list =
        "history %s %s %s %s"
            .formatted(
                access.repoId(),
                request.wref(),
                request.shape(),
                request.about().texts().map(EntityFilter::withLength).toList());
    var history = new History(access.repoId(), access.narrowing());
    request.wref().ifPresent(wref -> ofEntity(access, wref, history));
    var shape = request.shape().flatMap(name -> targets.find(access, ofShape(name)));
    var about =
        request.about().isEmpty()
            ? Optional.<AboutTargets.Found>empty()
            : Optional.of(aboutTargets.find(access, request.about(), false, Optional.empty()));
    shape.ifPresent(found -> history.narrowToShape(found.id()));
    if (request.shape().isPresent() && shape.isEmpty()) {
      history.narrowToNothing();
    }
    about.map(AboutTargets.Found::targets).ifPresent(history::narrowToAssertionsAbout);
    request.cursor().ifPresent(c -> cursors.read(list, c, keys -> after(history, keys)));
    var out = new JsonOut().object().name("items").array();
    var pager = new Pager(cursors, list, request.limit());
    // A commit message may mention entities that the token may not read.
    boolean withMessages = access.narrowing().isUnrestricted();
    rows(history.page(request.limit()), withMessages, request.fields(), pager, out);
    out.endArray();
    if (pager.isEmpty() && request.cursor().isEmpty()) {
      request.wref().ifPresent(wref -> find(access, Targets.here(access, wref, "?wref")));
      out.warnings(
          Stream.concat(
                  targets.warnings(access, request.shape()).stream(),
                  about.stream().flatMap(found -> found.missing().stream()))
              .toList());
    }
    return out.endPage(request.cursor(), access.seq(), pager.next());
  }

  private void rows(
      Statement statement, boolean withMessages, ShownFields fields, Pager pager, JsonOut out) {
    database
        .inIndexOrder()
        .each(
            statement.sql(),
            0,
            row -> {
              var version = History.Version.read(row);
              return pager.take(
                  version.data(),
                  () -> {
                    write(version, fields.of(version.data()), withMessages, out);
                    return List.of(version.seq(), version.opIndex(), version.entityId());
                  });
            },
            statement.parameters());
  }

  private static void write(
      History.Version version, byte[] data, boolean withMessages, JsonOut out) {
    out.object().name("wref").value(version.wref());
    out.name("version").value(version.number());
    out.name("operation").value(version.operation());
    out.name("active").value(version.active());
    out.name("data").stored(data);
    out.name("commitId").value(version.commitId());
    out.name("author").value(version.author());
    if (withMessages && version.message() != null) {
      out.name("message").value(version.message());
    }
    out.name("createdAt").value(version.createdAt()).end();
  }

  private static History after(History history, List<String> keys) {
    return history.startAfter(
        Long.parseLong(keys.get(0)), Integer.parseInt(keys.get(1)), Long.parseLong(keys.get(2)));
  }

  /** Finds the entity in the same statement: whether it exists matters only without versions. */
  private void ofEntity(RepositoryAccess access, Wref wref, History history) {
    var here = Targets.here(access, wref, "?wref");
    if (here.modifier() instanceof Wref.Modifier.Head) {
      var target = find(access, here);
      history.narrowToVersion(target.id(), target.version());
      return;
    }
    if (!access.narrowing().canRead(here, access.matching())) {
      throw targets.missing(access, here);
    }
    history.narrowToEntity(access.repoId(), here.shape(), here.name());
    if (here.modifier() instanceof Wref.Modifier.Pinned(int version)) {
      history.narrowToNumber(version);
    }
  }

  private static Wref ofShape(String name) {
    return Wref.local(BuiltinShape.SHAPE.shapeName(), name);
  }

  private Targets.Target find(RepositoryAccess access, Wref wref) {
    return targets.find(access, wref).orElseThrow(() -> targets.missing(access, wref));
  }
}
