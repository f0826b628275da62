package dev.cairn.query;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.content.AboutOrder;
import dev.cairn.content.ByKey;
import dev.cairn.content.Predicates;
import dev.cairn.content.StoredText;
import dev.cairn.model.Problem;
import dev.cairn.model.Wref;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.page.Cursors;
import dev.cairn.platform.page.Page;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the references between entities: those to an entity, and those from it. See {@code
 * docs/reads.md}, References.
 */
@ApplicationScoped
public class RefReads {
  /** The two parts of the list of inbound references, as they are in cursors. */
  private static final long ABOUT = 0;

  private static final long DATA = 1;

  /** The part, and the three keys within it. */
  private static final int INBOUND_KEYS = 4;

  private static final String FROM_ASSERTIONS =
      """
      select e.shape_name, e.name, e.kind, null as pointer, e.about_version as to_version,
             e.created_seq as key_1, e.created_op as key_2, 0 as key_3
      from entity e
      """;

  static final String FROM_DATA =
      """
      select e.shape_name, e.name, e.kind, r.pointer, r.to_version,
             r.from_shape_id as key_1, r.from_id as key_2, r.ordinal as key_3
      from reference r
      cross join lateral %s e
      """
          .formatted(ByKey.entity("r.repo_id", "r.from_id"));

  static final String TO_TARGET =
      "r.repo_id = ? and r.to_id = ? and r.to_repo_id = r.repo_id and r.head and e.active";

  static final String BY_SHAPE = " order by r.from_shape_id, r.from_id, r.ordinal limit ?";

  /** The assertion's target has the ordinal -1, before the references in the data. */
  private static final String OUTBOUND =
      """
      select e.shape_name, e.name, e.kind, r.pointer, r.to_version, r.ordinal, r.wref
      from (
        select -1 as ordinal, null as pointer, a.about_repo_id as to_repo_id, a.about_id as to_id,
               a.about_version as to_version, a.about_wref as wref
        from entity a
        where a.repo_id = ? and a.id = ? and a.about_id is not null
        union all
        select x.ordinal, x.pointer, x.to_repo_id, x.to_id, x.to_version,
               d.data #>> string_to_array(substr(x.pointer, 2), '/')
        from (select %s::jsonb as data from entity_version v
              where v.repo_id = ? and v.entity_id = ? and v.version = ?
              offset 0) d,
             reference x
        where x.repo_id = ? and x.from_id = ? and x.from_version = ?) r
      left join lateral (
        select * from entity y
        where y.repo_id = r.to_repo_id and y.repo_id = ? and y.id = r.to_id
        offset 0) e on true
      """
          .formatted(StoredText.plain("v.data"));

  private final Database database;
  private final Targets targets;
  private final ReadBounds bounds;
  private final Cursors cursors;

  /** The direction of references. */
  public enum Direction {
    /** From other entities to this one. */
    INBOUND,
    /** From this entity to others. */
    OUTBOUND;

    /** The direction with that name in requests. */
    public static Direction parse(String text) {
      return switch (text) {
        case "inbound" -> INBOUND;
        case "outbound" -> OUTBOUND;
        default -> throw Problem.invalid("?direction", "`direction` must be inbound or outbound.");
      };
    }
  }

  /**
   * A reference, seen from one of its ends.
   *
   * @param wref the other end, by its current name; in another repository, the name as it was
   *     written
   * @param kind the kind of the other end; null in another repository
   * @param relation {@code about} for an assertion and its target, {@code data} for a reference in
   *     a payload
   * @param pointer the pointer in the data of the referring entity; null for {@code about}
   * @param pinnedVersion the version of the entity at the target end
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Ref(String wref, String kind, String relation, String pointer, int pinnedVersion) {}

  /** A reference with its page key. */
  private record KeyedRef(Ref ref, List<Long> keys) {}

  RefReads(Database database, Targets targets, ReadBounds bounds, Cursors cursors) {
    this.database = database;
    this.targets = targets;
    this.bounds = bounds;
    this.cursors = cursors;
  }

  /**
   * A page of references.
   *
   * @param wref the entity; if it pins a version, only references to or from that version are read
   */
  public Page<Ref> page(
      RepositoryAccess access, Wref wref, Direction direction, int limit, Optional<String> cursor) {
    return bounds.within(
        access, () -> database.snapshot(() -> answer(access, wref, direction, limit, cursor)));
  }

  private Page<Ref> answer(
      RepositoryAccess access, Wref wref, Direction direction, int limit, Optional<String> cursor) {
    var here = Targets.here(access, wref, "?wref");
    var list = "refs %s %s %s".formatted(access.repoId(), here, direction);
    var after = cursor.map(c -> cursors.read(list, c, keys -> keys(direction, keys)));
    var target = targets.existing(access, here);
    var rows =
        switch (direction) {
          case INBOUND -> inbound(access, target, after, limit + 1);
          case OUTBOUND -> outbound(access, target, after, limit + 1);
        };
    var page = Page.of(rows, limit, last -> cursors.of(list, last.keys().toArray()));
    return new Page<>(page.items().stream().map(KeyedRef::ref).toList(), page.nextCursor())
        .withRepoSeq(access.seq(), cursor);
  }

  private static List<Long> keys(Direction direction, List<String> texts) {
    var keys = texts.stream().map(Long::valueOf).toList();
    if (keys.size() != (direction == Direction.INBOUND ? INBOUND_KEYS : 1)) {
      throw new IllegalArgumentException("not the keys of a reference");
    }
    return keys;
  }

  /** First the assertions about the target, newest first; then the references in data. */
  private List<KeyedRef> inbound(
      RepositoryAccess access, Targets.Target target, Optional<List<Long>> after, int limit) {
    var rows = new ArrayList<KeyedRef>();
    if (after.isEmpty() || after.get().getFirst() == ABOUT) {
      rows.addAll(assertions(access, target, after, limit));
    }
    if (rows.size() < limit) {
      var data = after.filter(keys -> keys.getFirst() == DATA);
      rows.addAll(data(access, target, data, limit - rows.size()));
    }
    return rows;
  }

  private List<KeyedRef> assertions(
      RepositoryAccess access, Targets.Target target, Optional<List<Long>> after, int limit) {
    var where =
        new Predicates(
                "e.repo_id = ? and e.about_id = ? and e.about_repo_id = e.repo_id and e.active",
                access.repoId(),
                target.id())
            .narrowed(access.narrowing());
    if (target.pinned() != null) {
      where.and("e.about_version = ?", target.pinned());
    }
    after.ifPresent(keys -> AboutOrder.after(where, keys.get(1), keys.get(2)));
    return database.list(
        FROM_ASSERTIONS + where.sql() + " order by " + AboutOrder.NEWEST_FIRST + " limit ?",
        row -> inbound(row, ABOUT),
        where.parameters(limit));
  }

  private List<KeyedRef> data(
      RepositoryAccess access, Targets.Target target, Optional<List<Long>> after, int limit) {
    var where =
        new Predicates(TO_TARGET, access.repoId(), target.id()).narrowed(access.narrowing());
    if (target.pinned() != null) {
      where.and("r.to_version = ?", target.pinned());
    }
    after.ifPresent(
        k ->
            where.and(
                "(r.from_shape_id, r.from_id, r.ordinal) > (?, ?, ?)",
                k.get(1),
                k.get(2),
                k.get(3)));
    return database
        .inIndexOrder()
        .list(
            FROM_DATA + where.sql() + BY_SHAPE, row -> inbound(row, DATA), where.parameters(limit));
  }

  private static KeyedRef inbound(ResultSet row, long part) throws SQLException {
    return new KeyedRef(
        ref(row, local(row)),
        List.of(part, row.getLong("key_1"), row.getLong("key_2"), row.getLong("key_3")));
  }

  private List<KeyedRef> outbound(
      RepositoryAccess access, Targets.Target target, Optional<List<Long>> after, int limit) {
    int version = target.pinned() == null ? target.version() : target.pinned();
    var where = new Predicates("r.ordinal > ?", after.map(List::getFirst).orElse(-2L));
    if (!access.narrowing().isUnrestricted()) {
      // The token's patterns grant nothing outside of the repository.
      where.and("e.id is not null").narrowed(access.narrowing());
    }
    var repoId = access.repoId();
    var id = target.id();
    return database.list(
        OUTBOUND + where.sql() + " order by r.ordinal limit ?",
        row -> new KeyedRef(ref(row, outboundWref(row)), List.of(row.getLong("ordinal"))),
        where.parameters(
            List.of(repoId, id, repoId, id, version, repoId, id, version, repoId), limit));
  }

  private static String outboundWref(ResultSet row) throws SQLException {
    return row.getString("kind") == null
        ? Wref.parse(row.getString("wref")).unversioned()
        : local(row);
  }

  private static String local(ResultSet row) throws SQLException {
    return row.getString("shape_name") + "/" + row.getString("name");
  }

  private static Ref ref(ResultSet row, String wref) throws SQLException {
    var pointer = row.getString("pointer");
    return new Ref(
        wref,
        row.getString("kind"),
        pointer == null ? "about" : "data",
        pointer,
        row.getInt("to_version"));
  }
}
