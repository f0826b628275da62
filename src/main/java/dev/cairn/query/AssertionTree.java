package dev.cairn.query;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.content.EntityRow;
import dev.cairn.content.Predicates;
import dev.cairn.content.read.AssertionPages;
import dev.cairn.content.read.AssertionPages.Assertion;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.memory.PageBytes;
import dev.cairn.platform.page.JsonOut;
import dev.cairn.platform.page.Pager;
import java.util.ArrayList;
import java.util.List;
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

    Node(long id, EntityRow entity) {
      this.id = id;
      this.entity = entity;
    }

    /** A target, which is written by the caller. */
    Node() {
      this.id = 0;
      this.entity = null;
    }
  }

  AssertionTree(Database database, RepositoryAccess access, ShownFields fields) {
    this.database = database;
    this.access = access;
    this.fields = fields;
  }

  /** Reads the assertions of a page, which {@code pager} takes. */
  void roots(Predicates where, int limit, Pager pager) {
    var statement = AssertionPages.page(where, limit);
    database.each(
        statement.sql(),
        0,
        row -> {
          var assertion = Assertion.read(row);
          return pager.take(
              assertion.entity().data(),
              () -> {
                roots.add(node(assertion));
                bytesLeft = PageBytes.max() - assertion.bytes();
                return List.of(assertion.createdSeq(), assertion.createdOp());
              });
        },
        statement.parameters());
  }

  private Node node(Assertion assertion) {
    return new Node(assertion.id(), fields.of(assertion.entity()));
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
    var parents = new ArrayList<AssertionPages.Target>();
    for (var all : targets) {
      for (var target : all) {
        int version = target.pinned() == null ? 0 : target.pinned();
        parents.add(new AssertionPages.Target(roots.size(), target.repoId(), target.id(), version));
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
    var targets =
        IntStream.range(0, nodes.size())
            .mapToObj(i -> new AssertionPages.Target(i, access.repoId(), nodes.get(i).id, 0))
            .toList();
    return children(nodes, targets, where(access), MAX_CHILDREN);
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
  private List<Node> children(
      List<Node> nodes, List<AssertionPages.Target> targets, Predicates where, int limit) {
    var children = new ArrayList<Node>();
    long before = bytesLeft;
    var statement = AssertionPages.ofEach(targets, where, limit, before);
    database.each(
        statement.sql(),
        FETCH_ROWS,
        row -> {
          var node = nodes.get(AssertionPages.parent(row));
          var assertion = Assertion.read(row);
          if (assertion.entity().data() == null) {
            node.truncated = true;
          } else {
            var child = node(assertion);
            node.children.add(child);
            children.add(child);
            bytesLeft = before - assertion.bytes();
          }
          return true;
        },
        statement.parameters());
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
