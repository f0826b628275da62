package dev.cairn.query;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.model.Glob;
import dev.cairn.model.Problem;
import dev.cairn.model.Wref;
import dev.cairn.platform.Cursor;
import dev.cairn.platform.Database;
import dev.cairn.platform.JsonOut;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Shows what is asserted about a thing, and about those assertions, newest first. */
@ApplicationScoped
public class AboutReads {
  /**
   * Of one assertion's children so many are shown; {@code childrenTruncated} says there are more.
   */
  private static final int MAX_CHILDREN = 50;

  /** So many assertions of a level get their children looked up. */
  private static final int MAX_PARENTS = 1_000;

  private static final String COLUMNS =
      Items.COLUMNS + ", e.id, e.created_seq, e.created_op, e.about_id";

  private final Database database;
  private final Targets targets;

  /**
   * What is wanted.
   *
   * @param depth 1 for the assertions alone, up to 5 for those about them in turn
   */
  public record Request(
      Optional<String> shape,
      Optional<Glob> match,
      int depth,
      boolean resolveCollections,
      int limit,
      Optional<String> cursor) {}

  /** An assertion with its children, as far as they are known. */
  private static final class Node {
    final long id;
    final Item item;
    final List<Node> children = new ArrayList<>();
    boolean truncated;

    Node(long id, Item item) {
      this.id = id;
      this.item = item;
    }
  }

  /** The row of an assertion, held until the tree is complete. */
  private record Item(
      String shapeName, String name, String kind, int version, byte[] data, String aboutWref) {

    static Item of(ResultSet row) throws SQLException {
      return new Item(
          row.getString(1),
          row.getString(2),
          row.getString(3),
          row.getInt(4),
          row.getBytes(5),
          row.getString(6));
    }

    void write(JsonOut out) {
      out.name("wref").value(shapeName + "/" + name);
      out.name("name").value(name);
      out.name("shapeName").value(shapeName);
      out.name("kind").value(kind);
      out.name("version").value(version);
      out.name("data").stored(data);
      if (aboutWref != null) {
        out.name("aboutWref").value(aboutWref);
      }
    }
  }

  AboutReads(Database database, Targets targets) {
    this.database = database;
    this.targets = targets;
  }

  /** The target and a page of assertions: {@code { target, assertions, nextCursor? }}. */
  public byte[] about(RepositoryAccess access, Wref wref, Request request) {
    var target =
        targets
            .find(access, wref)
            .orElseThrow(() -> Problem.notFound("There is no `" + wref.unversioned() + "`."));
    if (target.pinned() != null && target.pinned() > target.version()) {
      throw Problem.notFound(
          "There is no version %d of `%s`.".formatted(target.pinned(), wref.unversioned()));
    }
    var out = new JsonOut().object().name("target");
    boolean foreign = !target.repoId().equals(access.repoId());
    writeTarget(target, foreign ? "cairn:%s/%s/".formatted(wref.org(), wref.repo()) : "", out);
    var list =
        "about %s %s %s %s %s %s"
            .formatted(
                access.repoId(),
                wref,
                request.shape(),
                request.match(),
                request.depth(),
                request.resolveCollections());
    var assertions = new ArrayList<Node>();
    var next = roots(access, target, request, list, assertions);
    descend(access, assertions, request.depth());
    out.name("assertions").array();
    assertions.forEach(node -> write(node, out));
    out.endArray();
    next.ifPresent(cursor -> out.name("nextCursor").value(cursor));
    return out.end().toBytes();
  }

  private void writeTarget(Targets.Target target, String repository, JsonOut out) {
    database.first(
        "select " + Items.COLUMNS + " from entity e where e.repo_id = ? and e.id = ?",
        row -> {
          Items.write(out, row, true, repository);
          return true;
        },
        target.repoId(),
        target.id());
  }

  private Optional<String> roots(
      RepositoryAccess access,
      Targets.Target target,
      Request request,
      String list,
      List<Node> assertions) {
    var where =
        new Predicates("e.repo_id = ? and e.active", access.repoId()).narrowed(access.narrowing());
    targets.about(where, target, access.repoId(), request.resolveCollections());
    request.shape().ifPresent(shape -> where.and("e.shape_name = ?", shape));
    request.match().ifPresent(where::matches);
    request
        .cursor()
        .map(cursor -> Cursor.keys(list, cursor))
        .ifPresent(
            keys ->
                where.and(
                    "(e.created_seq, e.created_op) < (?, ?)",
                    Long.parseLong(keys.get(0)),
                    Integer.parseInt(keys.get(1))));
    var pager = new Pager(request.limit(), () -> bytes(assertions));
    database.each(
        "select "
            + COLUMNS
            + " from entity e "
            + where.sql()
            + " order by e.created_seq desc, e.created_op desc limit ?",
        Pager.fetchSize(request.limit()),
        row ->
            pager.take(
                () -> {
                  assertions.add(new Node(row.getLong(8), Item.of(row)));
                  return List.of(row.getLong(9), row.getInt(10));
                }),
        where.parameters(request.limit() + 1));
    return pager.next(list);
  }

  /** Adds the children level by level: one statement a level, whatever its width. */
  private void descend(RepositoryAccess access, List<Node> level, int depth) {
    var parents = level;
    for (int i = 1; i < depth && !parents.isEmpty(); i++) {
      parents.stream().skip(MAX_PARENTS).forEach(node -> node.truncated = true);
      parents = children(access, parents.subList(0, Math.min(parents.size(), MAX_PARENTS)));
    }
  }

  private List<Node> children(RepositoryAccess access, List<Node> parents) {
    Map<Long, Node> byId = new HashMap<>();
    parents.forEach(node -> byId.put(node.id, node));
    var children = new ArrayList<Node>();
    var bytes = new AtomicInteger();
    var where =
        new Predicates(
                "e.repo_id = ? and e.about_id = p.id and e.about_repo_id = e.repo_id and e.active",
                access.repoId())
            .narrowed(access.narrowing());
    database.each(
        "select "
            + COLUMNS.replace("e.", "c.")
            + """
             from unnest(?) as p (id)
            cross join lateral (
              select * from entity e
              %s
              order by e.created_seq desc, e.created_op desc limit ?) c
            order by c.created_seq desc, c.created_op desc
            """
                .formatted(where.sql()),
        Pager.fetchSize(MAX_PARENTS),
        row -> {
          var parent = byId.get(row.getLong(11));
          int size = bytes.addAndGet(row.getBytes(5).length);
          if (parent.children.size() == MAX_CHILDREN || size > Pager.MAX_BYTES) {
            parent.truncated = true;
          } else {
            var child = new Node(row.getLong(8), Item.of(row));
            parent.children.add(child);
            children.add(child);
          }
          return true;
        },
        where.parameters(
            List.of(parents.stream().mapToLong(node -> node.id).toArray()), MAX_CHILDREN + 1));
    return children;
  }

  private static int bytes(List<Node> nodes) {
    return nodes.stream().mapToInt(node -> node.item.data().length).sum();
  }

  private static void write(Node node, JsonOut out) {
    out.object();
    node.item.write(out);
    if (!node.children.isEmpty()) {
      out.name("children").array();
      node.children.forEach(child -> write(child, out));
      out.endArray();
    }
    if (node.truncated) {
      out.name("childrenTruncated").value(true);
    }
    out.end();
  }
}
