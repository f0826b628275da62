package dev.cairn.query;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.content.AboutOrder;
import dev.cairn.content.AssertionTargets;
import dev.cairn.content.EntityRow;
import dev.cairn.content.Predicates;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.memory.PageBytes;
import dev.cairn.platform.page.JsonOut;
import dev.cairn.platform.page.Pager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * The assertions of one answer with those about them, level by level. All levels share the maximum
 * size of an answer. The database does not send assertions that do not fit; their parent is marked
 * as truncated.
 */
final class AssertionTree {
  /** Maximum children that are shown for one assertion. */
  private static final int MAX_CHILDREN = 50;

  /** Maximum assertions of a level whose children are looked up. */
  private static final int MAX_PARENTS = 1_000;

  /** Rows of a level that are fetched at a time. */
  private static final int FETCH_ROWS = 1_000;

  /** {@code bytes} is the sum of the sizes of the rows so far; the format takes a row's size. */
  private static final String MORE_COLUMNS =
      ", e.id, e.created_seq, e.created_op, sum(%s) over page as bytes";

  private static final String ROOTS =
      "select " + EntityRow.PAGED + MORE_COLUMNS.formatted(EntityRow.SIZE) + " from entity e ";

  /**
   * A parent may have several targets, each with as many assertions as may be shown. What is beyond
   * that number together has no size and no data, and only the first of it is in the result.
   */
  private static final String CHILDREN =
      "select "
          + EntityRow.columns("case when sum(e.size) over page <= ? then e.shown end")
          + MORE_COLUMNS.formatted("e.size")
          + """
          , e.parent
          from (
            select e.*, case when e.position <= ? then %1$s end as size,
                   case when e.position <= ? then e.data end as shown
            from (
              select e.*, t.parent,
                     row_number() over (partition by t.parent order by %2$s) as position
              from unnest(?, ?, ?, ?) as t (parent, repo_id, id, version)
              cross join lateral (select * from entity e %%s order by %2$s limit ?) e) e
            where e.position <= ?) e
          """
              .formatted(EntityRow.SIZE, AboutOrder.NEWEST_FIRST)
          + Pager.inOrder(AboutOrder.NEWEST_FIRST);

  private final Database database;
  private final RepositoryAccess access;
  private final ShownFields fields;
  private final List<Node> roots = new ArrayList<>();

  /** The level that was read last. */
  private List<Node> deepest = roots;

  private long bytesLeft = PageBytes.max();

  /** An assertion with its children that have been read so far. */
  private static final class Node {
    final long id;
    final EntityRow entity;
    final List<Node> children = new ArrayList<>();
    boolean truncated;

    Node(EntityRow entity, ResultSet row) throws SQLException {
      this.id = row.getLong("id");
      this.entity = entity;
    }

    /** A target, which is written by the caller. */
    Node() {
      this.id = 0;
      this.entity = null;
    }
  }

  /**
   * What assertions are looked up about; several may have the same node.
   *
   * @param node the position of the node that they become children of
   * @param version 0 for any
   */
  private record Parent(int node, UUID repoId, long id, int version) {}

  AssertionTree(Database database, RepositoryAccess access, ShownFields fields) {
    this.database = database;
    this.access = access;
    this.fields = fields;
  }

  /** Reads the assertions of a page, which {@code pager} takes. */
  void roots(Predicates where, int limit, Pager pager) {
    database.each(
        ROOTS + where.sql() + Pager.inOrder(AboutOrder.NEWEST_FIRST) + " limit ?",
        0,
        row -> {
          var entity = EntityRow.read(row);
          return pager.take(
              entity.data(),
              () -> {
                roots.add(new Node(fields.of(entity), row));
                bytesLeft = PageBytes.max() - row.getLong("bytes");
                return List.of(row.getLong("created_seq"), row.getInt("created_op"));
              });
        },
        where.parameters(List.of(PageBytes.max()), limit + 1));
  }

  /**
   * Reads the newest assertions about each of several targets, instead of a page about one.
   *
   * @param targets for each position of the answer the target, and the collections that contain it
   * @param where the conditions on the assertions
   * @param limit maximum assertions for each position
   * @param bytesTaken the size of the targets in the answer
   */
  void roots(List<List<Targets.Target>> targets, Predicates where, int limit, long bytesTaken) {
    var parents = new ArrayList<Parent>();
    for (var all : targets) {
      for (var target : all) {
        int version = target.pinned() == null ? 0 : target.pinned();
        parents.add(new Parent(roots.size(), target.repoId(), target.id(), version));
      }
      roots.add(new Node());
    }
    bytesLeft -= bytesTaken;
    deepest = children(roots, parents, where, limit);
  }

  /** Adds the children level by level, with one statement for each level. */
  void descend(int depth) {
    for (int i = 1; i < depth && !deepest.isEmpty(); i++) {
      deepest.stream().skip(MAX_PARENTS).forEach(node -> node.truncated = true);
      deepest = children(deepest.subList(0, Math.min(deepest.size(), MAX_PARENTS)));
    }
  }

  private List<Node> children(List<Node> nodes) {
    var parents =
        IntStream.range(0, nodes.size())
            .mapToObj(i -> new Parent(i, access.repoId(), nodes.get(i).id, 0))
            .toList();
    return children(nodes, parents, where(access), MAX_CHILDREN);
  }

  /** The conditions of all assertions of an answer. */
  static Predicates where(RepositoryAccess access) {
    return new Predicates("e.repo_id = ? and e.active", access.repoId())
        .narrowed(access.narrowing());
  }

  /**
   * Reads one level.
   *
   * @param nodes what gets the children
   * @param limit maximum children of a node
   */
  private List<Node> children(List<Node> nodes, List<Parent> parents, Predicates where, int limit) {
    var children = new ArrayList<Node>();
    long before = bytesLeft;
    database.each(
        CHILDREN.formatted(where.sql() + AssertionTargets.ABOUT),
        FETCH_ROWS,
        row -> {
          var node = nodes.get(row.getInt("parent"));
          var entity = EntityRow.read(row);
          if (entity.data() == null) {
            node.truncated = true;
          } else {
            var child = new Node(fields.of(entity), row);
            node.children.add(child);
            children.add(child);
            bytesLeft = before - row.getLong("bytes");
          }
          return true;
        },
        where.parameters(
            List.of(
                before,
                limit,
                limit,
                Columns.ints(parents, Parent::node),
                Columns.uuids(parents, Parent::repoId),
                Columns.longs(parents, Parent::id),
                Columns.ints(parents, Parent::version)),
            limit + 1,
            limit + 1));
    return children;
  }

  /** Writes the assertions as an array. */
  void write(JsonOut out) {
    write(roots, out);
  }

  /** Writes the assertions for one position as an array, and whether some were left out. */
  void write(int position, JsonOut out) {
    var target = roots.get(position);
    write(target.children, out.name("assertions"));
    if (target.truncated) {
      out.name("assertionsTruncated").value(true);
    }
  }

  private static void write(List<Node> nodes, JsonOut out) {
    out.array();
    nodes.forEach(node -> write(node, out));
    out.endArray();
  }

  private static void write(Node node, JsonOut out) {
    out.object();
    Items.members(out, node.entity, false);
    if (!node.children.isEmpty()) {
      write(node.children, out.name("children"));
    }
    if (node.truncated) {
      out.name("childrenTruncated").value(true);
    }
    out.end();
  }
}
