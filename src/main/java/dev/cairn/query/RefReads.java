package dev.cairn.query;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.content.read.EntityReferences;
import dev.cairn.model.Problem;
import dev.cairn.model.Wref;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.page.Cursors;
import dev.cairn.platform.page.Page;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
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

  private final Database database;
  private final EntityReferences references;
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

  RefReads(
      Database database,
      EntityReferences references,
      Targets targets,
      ReadBounds bounds,
      Cursors cursors) {
    this.database = database;
    this.references = references;
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
    return references
        .assertions(
            access.repoId(),
            access.narrowing(),
            target.id(),
            target.pinned(),
            after.map(RefReads::key),
            limit)
        .stream()
        .map(row -> inbound(row, ABOUT))
        .toList();
  }

  private List<KeyedRef> data(
      RepositoryAccess access, Targets.Target target, Optional<List<Long>> after, int limit) {
    return references
        .inData(
            access.repoId(),
            access.narrowing(),
            target.id(),
            target.pinned(),
            after.map(RefReads::key),
            limit)
        .stream()
        .map(row -> inbound(row, DATA))
        .toList();
  }

  private static EntityReferences.Key key(List<Long> keys) {
    return new EntityReferences.Key(keys.get(1), keys.get(2), keys.get(3));
  }

  private static KeyedRef inbound(EntityReferences.Inbound row, long part) {
    var key = row.key();
    return new KeyedRef(
        ref(local(row.shapeName(), row.name()), row.kind(), row.pointer(), row.version()),
        List.of(part, key.first(), key.second(), key.third()));
  }

  private List<KeyedRef> outbound(
      RepositoryAccess access, Targets.Target target, Optional<List<Long>> after, int limit) {
    int version = target.pinned() == null ? target.version() : target.pinned();
    return references
        .of(
            access.repoId(),
            access.narrowing(),
            target.id(),
            version,
            after.map(List::getFirst),
            limit)
        .stream()
        .map(RefReads::outbound)
        .toList();
  }

  private static KeyedRef outbound(EntityReferences.Outbound row) {
    var wref =
        row.kind() == null
            ? Wref.parse(row.wref()).unversioned()
            : local(row.shapeName(), row.name());
    return new KeyedRef(
        ref(wref, row.kind(), row.pointer(), row.version()), List.of(row.ordinal()));
  }

  private static String local(String shapeName, String name) {
    return shapeName + "/" + name;
  }

  private static Ref ref(String wref, String kind, String pointer, int version) {
    return new Ref(wref, kind, pointer == null ? "about" : "data", pointer, version);
  }
}
