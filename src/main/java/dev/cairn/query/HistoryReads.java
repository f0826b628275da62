package dev.cairn.query;

import static dev.cairn.platform.page.Page.CURSOR;
import static dev.cairn.platform.page.Page.LIMIT;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.content.ByKey;
import dev.cairn.content.Predicates;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.Problem;
import dev.cairn.model.Wref;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Rows;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.platform.memory.PageBytes;
import dev.cairn.platform.page.Cursor;
import dev.cairn.platform.page.JsonOut;
import dev.cairn.platform.page.JsonPage;
import dev.cairn.platform.page.Page;
import dev.cairn.platform.page.Pager;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Reads the versions of entities, newest first, each with the commit that made it. */
@ApplicationScoped
public class HistoryReads {
  private final Database database;
  private final Targets targets;
  private final ReadBounds bounds;

  /**
   * Selects the entities whose versions are read: those that meet all given conditions, of which at
   * least one is given.
   *
   * @param wref one entity
   * @param shape the entities of one shape
   * @param about the assertions about one entity
   */
  public record Request(
      Optional<Wref> wref,
      Optional<String> shape,
      Optional<Wref> about,
      int limit,
      Optional<String> cursor) {

    /** The names of the parameters. */
    public static final Set<String> PARAMETERS = Set.of("wref", "shape", "about", LIMIT, CURSOR);

    /** Reads the parameters of a request. */
    public static Request of(QueryParameters parameters) {
      var request =
          new Request(
              parameters.text("wref").map(EntityFilter::named),
              EntityFilter.shape(parameters),
              parameters.text("about").map(t -> EntityFilter.parsed("about", t, Wref::parse)),
              Page.limit(parameters),
              parameters.text(CURSOR));
      if (request.wref.isEmpty() && request.shape.isEmpty() && request.about.isEmpty()) {
        throw Problem.invalid("wref", "At least one of `wref`, `shape` and `about` is required.");
      }
      return request;
    }
  }

  HistoryReads(Database database, Targets targets, ReadBounds bounds) {
    this.database = database;
    this.targets = targets;
    this.bounds = bounds;
  }

  /** A page of versions. */
  public JsonPage page(RepositoryAccess access, Request request) {
    Supplier<JsonPage> read = () -> answer(access, request);
    return bounds.within(access, request.about().isEmpty() ? read : () -> database.snapshot(read));
  }

  private JsonPage answer(RepositoryAccess access, Request request) {
    var list =
        "history %s %s %s %s"
            .formatted(access.repoId(), request.wref(), request.shape(), request.about());
    var where =
        new Predicates(
                "v.repo_id = ? and v.entity_id >= ?", access.repoId(), BuiltinShape.FIRST_FREE_ID)
            .narrowed(access.narrowing());
    request.wref().ifPresent(w -> ofEntity(access, w, where));
    var shape = request.shape().flatMap(name -> targets.find(access, ofShape(name)));
    var about = request.about().flatMap(wref -> targets.find(access, wref));
    if (isMissing(request.shape(), shape) || isMissing(request.about(), about)) {
      return new JsonOut()
          .object()
          .name("items")
          .array()
          .endArray()
          .warnings(targets.warnings(access, request.shape(), request.about(), Optional.empty()))
          .endPage(Optional.empty());
    }
    shape.ifPresent(found -> where.and("v.shape_id = ?", found.id()));
    about.ifPresent(target -> ofAssertions(target, where));
    // The versions of one entity are read by its own key, which gives the same order.
    var order = request.wref().isPresent() ? "v.version desc" : NEWEST_FIRST;
    request.cursor().map(c -> Cursor.keys(list, c)).ifPresent(keys -> after(where, keys));
    // A commit message may mention entities that the token may not read.
    boolean withMessages = access.narrowing().isUnrestricted();
    return rows(where, order, request.limit(), list, withMessages);
  }

  static final String NEWEST_FIRST = "v.valid_from desc, v.op_index desc, v.entity_id desc";

  static final String COLUMNS =
      """
      select e.shape_name || '/' || e.name as wref, v.version, v.operation, v.active, %s as data,
             c.commit_id, c.author, c.message, c.created_at, v.valid_from, v.op_index,
             v.entity_id
      from entity_version v
      cross join lateral %s e
      cross join lateral %s c
      """
          .formatted(
              Pager.fitting(
                  "v.data",
                  "octet_length(v.data) + octet_length(e.name) + 512 + "
                      + Pager.jsonBytes("c.message")
                      + " + "
                      + Pager.jsonBytes("c.author")),
              ByKey.entity("v.repo_id", "v.entity_id"),
              ByKey.commit("v.repo_id", "v.valid_from"));

  private JsonPage rows(
      Predicates where, String order, int limit, String list, boolean withMessages) {
    var out = new JsonOut().object().name("items").array();
    var pager = new Pager(limit);
    database
        .inIndexOrder()
        .each(
            COLUMNS + where.sql() + Pager.inOrder(order) + " limit ?",
            0,
            row -> {
              var data = row.getBytes("data");
              return pager.take(
                  data,
                  () -> {
                    write(row, data, withMessages, out);
                    return List.of(
                        row.getLong("valid_from"),
                        row.getInt("op_index"),
                        row.getLong("entity_id"));
                  });
            },
            where.parameters(List.of(PageBytes.max()), limit + 1));
    return out.endArray().endPage(pager.next(list));
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

  private static void after(Predicates where, List<String> keys) {
    where.and(
        "(v.valid_from, v.op_index, v.entity_id) < (?, ?, ?)",
        Long.parseLong(keys.get(0)),
        Integer.parseInt(keys.get(1)),
        Long.parseLong(keys.get(2)));
  }

  private void ofEntity(RepositoryAccess access, Wref wref, Predicates where) {
    var target = find(access, Targets.here(access, wref, "wref"));
    where.and("v.entity_id = ?", target.id());
    if (target.pinned() != null) {
      where.and("v.version = ?", target.pinned());
    }
  }

  private static void ofAssertions(Targets.Target target, Predicates where) {
    where.and("v.about_id = ? and e.about_repo_id = ?", target.id(), target.repoId());
    if (target.pinned() != null) {
      where.and("e.about_version = ?", target.pinned());
    }
  }

  private static Wref ofShape(String name) {
    return Wref.local(BuiltinShape.SHAPE.shapeName(), name);
  }

  /** Whether something was asked for that does not exist. */
  private static boolean isMissing(Optional<?> asked, Optional<?> found) {
    return asked.isPresent() && found.isEmpty();
  }

  private Targets.Target find(RepositoryAccess access, Wref wref) {
    return targets
        .find(access, wref)
        .orElseThrow(() -> Problem.notFound("There is no `" + wref.unversioned() + "`."));
  }
}
