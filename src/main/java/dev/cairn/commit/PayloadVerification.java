package dev.cairn.commit;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.cairn.commit.ShapeNamesThen.ShapeRename;
import dev.cairn.model.CanonicalJson;
import dev.cairn.model.IJson;
import dev.cairn.model.Problem;
import dev.cairn.model.ShapeDefinition;
import dev.cairn.model.StoredJson;
import dev.cairn.platform.Database;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Holds stored payloads against the hashes that the chain vouches for. A hash saw the names of its
 * time: where it does not fit the text of today, the names of then are put in and it is tried
 * again. That takes a look into the database, so these payloads are collected.
 */
final class PayloadVerification {
  private static final int MOST_SUSPECTS = 500;
  private static final int MOST_CHARACTERS = 4 * 1024 * 1024;

  /** References that are held at a time; the pointer of each may have 4,000 characters. */
  private static final int FETCHED_NAMES = 200;

  private final Database database;
  private final UUID repoId;
  private final List<Version> suspects = new ArrayList<>();
  private int characters;
  private List<ShapeRename> shapeRenames;
  private Long brokenAt;

  /**
   * A version with its payload.
   *
   * @param seq the commit that made it
   * @param opIndex the operation of that commit
   * @param data the stored text
   */
  record Version(
      long entityId,
      int number,
      long seq,
      int opIndex,
      boolean ofShape,
      String data,
      byte[] dataHash) {

    boolean fits(JsonNode payload, Map<JsonNode, String> names) {
      return Arrays.equals(CanonicalJson.hash(CanonicalJson.of(payload, names)), dataHash);
    }

    /** The payload, with references as they stand there but for their versions. */
    JsonNode payload() {
      return IJson.read(StoredJson.unversioned(data).getBytes(StandardCharsets.UTF_8));
    }
  }

  /**
   * What the target of a reference is called.
   *
   * @param then when the hash was taken
   */
  private record Name(String pointer, String today, String then) {}

  PayloadVerification(Database database, UUID repoId) {
    this.database = database;
    this.repoId = repoId;
  }

  /** Takes a version, in the order of the history; what it says is known in the end. */
  void check(Version version) {
    try {
      if (version.fits(version.payload(), Map.of())) {
        return;
      }
    } catch (Problem _) {
      broken(version);
      return;
    }
    suspects.add(version);
    characters += version.data().length();
    if (suspects.size() == MOST_SUSPECTS || characters > MOST_CHARACTERS) {
      look();
    }
  }

  /** The first commit with a payload that does not fit; null where all do. */
  Long brokenAt() {
    look();
    return brokenAt;
  }

  private void broken(Version version) {
    brokenAt = brokenAt == null ? version.seq() : Math.min(brokenAt, version.seq());
  }

  private void look() {
    if (suspects.isEmpty()) {
      return;
    }
    var fitting = kept();
    fitting.addAll(fittingByNames());
    for (int i = 0; i < suspects.size(); i++) {
      var version = suspects.get(i);
      if (!fitting.contains(i) && !(version.ofShape() && fitsAsDefinition(version))) {
        broken(version);
      }
    }
    suspects.clear();
    characters = 0;
  }

  /**
   * Restores the names of that time in the suspects, whose references come one after another, and
   * finds those that fit with them.
   */
  private final class Naming {
    final Set<Integer> fitting = new HashSet<>();
    private final IdentityHashMap<JsonNode, String> texts = new IdentityHashMap<>();
    private int index = -1;
    private JsonNode payload;
    private boolean namesAreThere;

    boolean take(int suspect, Name name) {
      if (suspect != index) {
        end();
        index = suspect;
        payload = suspects.get(suspect).payload();
        namesAreThere = true;
      }
      var node = at(payload, name.pointer());
      namesAreThere &= name.today().equals(node.textValue());
      texts.put(node, name.then());
      return true;
    }

    /** After the last reference of a suspect. */
    void end() {
      if (index >= 0 && namesAreThere && suspects.get(index).fits(payload, texts)) {
        fitting.add(index);
      }
      texts.clear();
    }
  }

  private static JsonNode at(JsonNode payload, String pointer) {
    try {
      return payload.at(JsonPointer.compile(pointer));
    } catch (IllegalArgumentException _) {
      return MissingNode.getInstance();
    }
  }

  private boolean fitsAsDefinition(Version version) {
    var payload = version.payload();
    var today = List.copyOf(ShapeDefinition.shapeNames(payload).entrySet());
    var later =
        shapeRenames().stream().filter(r -> r.isAfter(version.seq(), version.opIndex())).toList();
    var origins = today.stream().map(e -> ShapeNamesThen.origins(e.getValue(), later)).toList();
    return ShapeNamesThen.anyFits(
        origins,
        names -> {
          var texts = new IdentityHashMap<JsonNode, String>();
          for (int i = 0; i < names.size(); i++) {
            texts.put(today.get(i).getKey(), names.get(i));
          }
          return version.fits(payload, texts);
        });
  }

  /** Versions that keep the payload of the one before, such as a retract, keep its hash too. */
  private Set<Integer> kept() {
    return new HashSet<>(
        database.list(
            """
            select n.ordinal - 1
            from unnest(?, ?) with ordinality as n (id, version, ordinal)
            cross join lateral (
              select * from entity_version x
              where x.repo_id = ? and x.entity_id = n.id and x.version = n.version
              offset 0) v
            cross join lateral (
              select * from entity_version x
              where x.repo_id = ? and x.entity_id = n.id and x.version = n.version - 1
              offset 0) before
            where v.data_hash = before.data_hash and v.data = before.data
            """,
            row -> row.getInt(1),
            suspects.stream().mapToLong(Version::entityId).toArray(),
            suspects.stream().mapToInt(Version::number).toArray(),
            repoId,
            repoId));
  }

  /**
   * The suspects that fit with what their references within the repository were called when they
   * were written. Only one of them is in memory with its references, however many there are.
   */
  private Set<Integer> fittingByNames() {
    var naming = new Naming();
    database.each(
        """
        select n.ordinal - 1, r.pointer, t.shape_name || '/' || t.name,
               coalesce(shape.old_name, t.shape_name) || '/' || coalesce(own.old_name, t.name)
        from unnest(?, ?, ?, ?) with ordinality as n (id, version, seq, op_index, ordinal)
        cross join lateral (
          select * from reference x
          where x.repo_id = ? and x.from_id = n.id and x.from_version = n.version
            and x.to_repo_id = x.repo_id
          offset 0) r
        cross join lateral (
          select * from entity x where x.repo_id = r.repo_id and x.id = r.to_id offset 0) t
        left join lateral (
          select x.old_name from entity_rename x
          where x.repo_id = t.repo_id and x.entity_id = t.shape_id
            and (x.seq, x.op_index) > (n.seq, n.op_index)
          order by x.seq, x.op_index limit 1) shape on true
        left join lateral (
          select x.old_name from entity_rename x
          where x.repo_id = t.repo_id and x.entity_id = t.id
            and (x.seq, x.op_index) > (n.seq, n.op_index)
          order by x.seq, x.op_index limit 1) own on true
        order by n.ordinal
        """,
        FETCHED_NAMES,
        row ->
            naming.take(
                row.getInt(1), new Name(row.getString(2), row.getString(3), row.getString(4))),
        suspects.stream().mapToLong(Version::entityId).toArray(),
        suspects.stream().mapToInt(Version::number).toArray(),
        suspects.stream().mapToLong(Version::seq).toArray(),
        suspects.stream().mapToInt(Version::opIndex).toArray(),
        repoId);
    naming.end();
    return naming.fitting;
  }

  private List<ShapeRename> shapeRenames() {
    if (shapeRenames == null) {
      shapeRenames =
          database.list(
              """
              select n.seq, n.op_index, n.old_name, n.new_name
              from entity_rename n
              join entity s on s.repo_id = n.repo_id and s.id = n.entity_id
              where n.repo_id = ? and s.kind = 'shape'
              order by n.seq, n.op_index
              """,
              row ->
                  new ShapeRename(
                      row.getLong(1), row.getInt(2), row.getString(3), row.getString(4)),
              repoId);
    }
    return shapeRenames;
  }
}
