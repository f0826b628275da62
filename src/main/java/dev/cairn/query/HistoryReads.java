package dev.cairn.query;

import static dev.cairn.platform.page.Page.CURSOR;
import static dev.cairn.platform.page.Page.LIMIT;
import static dev.cairn.query.AboutFilter.ABOUT;
import static dev.cairn.query.ShownFields.FIELDS;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.content.AssertionTargets;
import dev.cairn.content.ByKey;
import dev.cairn.content.Predicates;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.Problem;
import dev.cairn.model.Wref;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Rows;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.platform.memory.PageBytes;
import dev.cairn.platform.page.Cursors;
import dev.cairn.platform.page.JsonOut;
import dev.cairn.platform.page.JsonPage;
import dev.cairn.platform.page.Page;
import dev.cairn.platform.page.Pager;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Reads the versions of entities, newest first, each with the commit that made it. */
@ApplicationScoped
public class HistoryReads {
  static final String NEWEST_FIRST = "v.valid_from desc, v.op_index desc, v.entity_id desc";

  private static final String WITH_ENTITY =
      "v cross join lateral %s e ".formatted(ByKey.entity("v.repo_id", "v.entity_id"));

  private static final String VERSIONS = " from entity_version " + WITH_ENTITY;

  /** The newest versions of the assertions about each of some targets. */
  private static final String OF_TARGETS =
      " from (select n.* from "
          + AssertionTargets.SQL
          + " cross join lateral (select v.*"
          + VERSIONS
          + "%s and v.about_id = t.id"
          + AssertionTargets.ABOUT
          + " order by %s limit ?) n) "
          + WITH_ENTITY;

  private static final String PAGE =
      """
      select e.shape_name || '/' || e.name as wref, v.version, v.operation, v.active, %s as data,
             c.commit_id, c.author, c.message, c.created_at, v.valid_from, v.op_index,
             v.entity_id
      """
              .formatted(
                  Pager.fitting(
                      "v.data",
                      "octet_length(v.data) + octet_length(e.name) + 512 + "
                          + Pager.jsonBytes("c.message")
                          + " + "
                          + Pager.jsonBytes("c.author")))
          + "%s cross join lateral "
          + ByKey.commit("v.repo_id", "v.valid_from")
          + " c %s %s limit ?";

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
    var where =
        new Predicates(
                "v.repo_id = ? and v.entity_id >= ?", access.repoId(), BuiltinShape.FIRST_FREE_ID)
            .narrowed(access.narrowing());
    request.wref().ifPresent(w -> ofEntity(access, w, where));
    var shape = request.shape().flatMap(name -> targets.find(access, ofShape(name)));
    var about =
        request.about().isEmpty()
            ? Optional.<AboutTargets.Found>empty()
            : Optional.of(aboutTargets.find(access, request.about(), false, Optional.empty()));
    shape.ifPresent(found -> where.and("v.shape_id = ?", found.id()));
    if (request.shape().isPresent() && shape.isEmpty()) {
      where.and("false");
    }
    // The versions of one entity are read by its own key, which gives the same order.
    var order = request.wref().isPresent() ? "v.version desc" : NEWEST_FIRST;
    request.cursor().ifPresent(c -> cursors.read(list, c, keys -> after(where, keys)));
    var out = new JsonOut().object().name("items").array();
    var pager = new Pager(cursors, list, request.limit());
    // A commit message may mention entities that the token may not read.
    boolean withMessages = access.narrowing().isUnrestricted();
    rows(
        statement(about.map(AboutTargets.Found::targets), where, order, request.limit()),
        withMessages,
        request.fields(),
        pager,
        out);
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

  /**
   * A statement for a page of versions and one more.
   *
   * @param about what the entities are assertions about; empty for entities of any kind
   */
  static EntityReads.Statement statement(
      Optional<AssertionTargets> about, Predicates where, String order, int limit) {
    var inOrder = Pager.inOrder(order);
    if (about.isPresent() && about.get().areListed()) {
      var parameters = new ArrayList<Object>(List.of(PageBytes.max()));
      parameters.addAll(about.get().parameters());
      return new EntityReads.Statement(
          PAGE.formatted(OF_TARGETS.formatted(where.sql(), order), "", inOrder),
          where.parameters(parameters, limit + 1, limit + 1));
    }
    about.ifPresent(targets -> targets.narrow(where));
    return new EntityReads.Statement(
        PAGE.formatted(VERSIONS, where.sql(), inOrder),
        where.parameters(List.of(PageBytes.max()), limit + 1));
  }

  private void rows(
      EntityReads.Statement statement,
      boolean withMessages,
      ShownFields fields,
      Pager pager,
      JsonOut out) {
    database
        .inIndexOrder()
        .each(
            statement.sql(),
            0,
            row -> {
              var data = row.getBytes("data");
              return pager.take(
                  data,
                  () -> {
                    write(row, fields.of(data), withMessages, out);
                    return List.of(
                        row.getLong("valid_from"),
                        row.getInt("op_index"),
                        row.getLong("entity_id"));
                  });
            },
            statement.parameters());
  }

  private static void write(ResultSet row, byte[] data, boolean withMessages, JsonOut out)
      throws SQLException {
    out.object().name("wref").value(row.getString("wref"));
    out.name("version").value(row.getInt("version"));
    out.name("operation").value(row.getString("operation"));
    out.name("active").value(row.getBoolean("active"));
    out.name("data").stored(data);
    out.name("commitId").value(row.getString("commit_id"));
    out.name("author").value(row.getString("author"));
    var message = row.getString("message");
    if (withMessages && message != null) {
      out.name("message").value(message);
    }
    out.name("createdAt").value(Rows.millis(row, "created_at")).end();
  }

  private static Predicates after(Predicates where, List<String> keys) {
    return where.and(
        "(v.valid_from, v.op_index, v.entity_id) < (?, ?, ?)",
        Long.parseLong(keys.get(0)),
        Integer.parseInt(keys.get(1)),
        Long.parseLong(keys.get(2)));
  }

  /** Finds the entity in the same statement: whether it exists matters only without versions. */
  private void ofEntity(RepositoryAccess access, Wref wref, Predicates where) {
    var here = Targets.here(access, wref, "?wref");
    if (here.modifier() instanceof Wref.Modifier.Head) {
      var target = find(access, here);
      where.and("v.entity_id = ? and v.version = ?", target.id(), target.version());
      return;
    }
    if (!access.narrowing().canRead(here, access.matching())) {
      throw targets.missing(access, here);
    }
    where.and(
        """
        v.entity_id = (
          select k.id from entity k where k.repo_id = ? and k.shape_name = ? and k.name = ?)""",
        access.repoId(),
        here.shape(),
        here.name());
    if (here.modifier() instanceof Wref.Modifier.Pinned(int version)) {
      where.and("v.version = ?", version);
    }
  }

  private static Wref ofShape(String name) {
    return Wref.local(BuiltinShape.SHAPE.shapeName(), name);
  }

  private Targets.Target find(RepositoryAccess access, Wref wref) {
    return targets.find(access, wref).orElseThrow(() -> targets.missing(access, wref));
  }
}
