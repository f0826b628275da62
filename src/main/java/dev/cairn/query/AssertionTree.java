package dev.cairn.query;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.content.AboutOrder;
import dev.cairn.content.EntityRow;
import dev.cairn.content.Predicates;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.memory.PageBytes;
import dev.cairn.platform.page.JsonOut;
import dev.cairn.platform.page.Pager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

  /** {@code bytes} is the sum of the sizes of the rows so far. */
  private static final String MORE_COLUMNS =
      ", e.id, e.created_seq, e.created_op, sum(" + EntityRow.SIZE + ") over page as bytes";

  private static final String ROOTS =
      "select " + EntityRow.PAGED + MORE_COLUMNS + " from entity e ";

  private static final String CHILDREN =
      "select "
          + EntityRow.columns(
              "case when sum(" + EntityRow.SIZE + ") over page <= ? then e.data end")
          + MORE_COLUMNS
          + """
          , p.id as parent_id
          from unnest(?) as p (id)
          cross join lateral (
            select * from entity e
            %s
            order by
          """
          + AboutOrder.NEWEST_FIRST
          + " limit ?) e"
          + Pager.inOrder(AboutOrder.NEWEST_FIRST);

  private final Database database;
  private final RepositoryAccess access;
  private final List<Node> roots = new ArrayList<>();
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
  }

  AssertionTree(Database database, RepositoryAccess access) {
    this.database = database;
    this.access = access;
  }

  /** Reads the assertions of a page; returns the cursor of the next page. */
  Optional<String> roots(Predicates where, int limit, String list) {
    var pager = new Pager(limit);
    database.each(
        ROOTS + where.sql() + Pager.inOrder(AboutOrder.NEWEST_FIRST) + " limit ?",
        0,
        row -> {
          var entity = EntityRow.read(row);
          return pager.take(
              entity.data(),
              () -> {
                roots.add(new Node(entity, row));
                bytesLeft = PageBytes.max() - row.getLong("bytes");
                return List.of(row.getLong("created_seq"), row.getInt("created_op"));
              });
        },
        where.parameters(List.of(PageBytes.max()), limit + 1));
    return pager.next(list);
  }

  /** Adds the children level by level, with one statement for each level. */
  void descend(int depth) {
    var parents = roots;
    for (int i = 1; i < depth && !parents.isEmpty(); i++) {
      parents.stream().skip(MAX_PARENTS).forEach(node -> node.truncated = true);
      parents = children(parents.subList(0, Math.min(parents.size(), MAX_PARENTS)));
    }
  }

  private List<Node> children(List<Node> parents) {
    Map<Long, Node> byId = new HashMap<>();
    parents.forEach(node -> byId.put(node.id, node));
    var children = new ArrayList<Node>();
    long before = bytesLeft;
    var where =
        new Predicates(
                "e.repo_id = ? and e.about_id = p.id and e.about_repo_id = e.repo_id and e.active",
                access.repoId())
            .narrowed(access.narrowing());
    database.each(
        CHILDREN.formatted(where.sql()),
        FETCH_ROWS,
        row -> {
          var parent = byId.get(row.getLong("parent_id"));
          var entity = EntityRow.read(row);
          if (parent.children.size() == MAX_CHILDREN || entity.data() == null) {
            parent.truncated = true;
          } else {
            var child = new Node(entity, row);
            parent.children.add(child);
            children.add(child);
            bytesLeft = before - row.getLong("bytes");
          }
          return true;
        },
        where.parameters(
            List.of(before, parents.stream().mapToLong(node -> node.id).toArray()),
            MAX_CHILDREN + 1));
    return children;
  }

  /** Writes the assertions as an array. */
  void write(JsonOut out) {
    out.array();
    roots.forEach(node -> write(node, out));
    out.endArray();
  }

  private static void write(Node node, JsonOut out) {
    out.object();
    Items.members(out, node.entity, false);
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
