package dev.cairn.content.verification;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.cairn.content.ByKey;
import dev.cairn.content.FormerNames;
import dev.cairn.model.CanonicalJson;
import dev.cairn.model.IJson;
import dev.cairn.model.Problem;
import dev.cairn.model.ShapeDefinition;
import dev.cairn.model.StoredJson;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Verifies stored payloads against the hashes that the chain covers. A hash was computed with the
 * names of its time: if it does not match the current text, the former names are put back and it is
 * computed again. That needs a query, so such payloads are collected.
 */
final class PayloadVerification {
  private static final int MAX_SUSPECTS = 500;
  private static final int MAX_CHARACTERS = 4 * 1024 * 1024;

  /** References that are fetched at a time; the pointer of each may have 4,000 characters. */
  private static final int FETCH_ROWS = 200;

  /** Definitions that are fetched at a time. */
  private static final int FETCH_DEFINITIONS = 2;

  /** The renames after the operation that made a version. */
  private static final String AFTER = "(later.seq, later.op_index) > (n.seq, n.op_index)";

  /**
   * The shapes of today by the names that a definition gave them. The first rename that changed a
   * name in it decides: from then on, the name is that of the renamed shape. In definitions of the
   * same commit, shapes that the commit adds are renamed too.
   */
  private static final String LATER_NAMES =
      """
      select n.name, s.name
      from unnest(?) as n (name)
      cross join lateral (
        select f.entity_id from (
          (select x.entity_id, x.seq, x.op_index from entity_rename x
           where x.old_name = n.name and x.repo_id = ? and x.seq = ? and x.op_index > ?
             and exists (
               select from entity k
               where k.repo_id = x.repo_id and k.id = x.entity_id and k.kind = 'shape')
           order by x.op_index limit 1)
          union all
          (select x.entity_id, x.seq, x.op_index from entity_rename x
           where x.old_name = n.name and x.repo_id = ? and x.seq > ? and x.in_definitions
           order by x.seq, x.op_index limit 1)) f
        order by f.seq, f.op_index limit 1) r
      cross join lateral %s s
      """
          .formatted(ByKey.entity("?", "r.entity_id"));

  private final Database database;
  private final UUID repoId;
  private final List<Version> suspects = new ArrayList<>();
  private int characters;
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
      boolean isShape,
      String data,
      byte[] dataHash) {

    boolean matches(JsonNode payload, Map<JsonNode, String> names) {
      return Arrays.equals(CanonicalJson.hash(CanonicalJson.of(payload, names)), dataHash);
    }

    /** The payload, with references as they are stored, but without versions. */
    JsonNode payload() {
      return payload(data);
    }

    static JsonNode payload(String data) {
      return IJson.read(StoredJson.unversioned(data).getBytes(StandardCharsets.UTF_8));
    }
  }

  /**
   * The name of the target of a reference.
   *
   * @param then the name when the hash was computed
   */
  private record Name(String pointer, String today, String then) {}

  PayloadVerification(Database database, UUID repoId) {
    this.database = database;
    this.repoId = repoId;
  }

  /**
   * Checks a version; must be called in the order of the history. The result is {@link #brokenAt}.
   */
  void check(Version version) {
    try {
      if (version.matches(version.payload(), Map.of())) {
        return;
      }
    } catch (Problem _) {
      broken(version);
      return;
    }
    suspects.add(version);
    characters += version.data().length();
    if (suspects.size() == MAX_SUSPECTS || characters > MAX_CHARACTERS) {
      checkSuspects();
    }
  }

  /** The first commit with a payload that does not match; null if all match. */
  Long brokenAt() {
    checkSuspects();
    return brokenAt;
  }

  private void broken(Version version) {
    brokenAt = brokenAt == null ? version.seq() : Math.min(brokenAt, version.seq());
  }

  private void checkSuspects() {
    if (suspects.isEmpty()) {
      return;
    }
    var matching = unchangedPayloads();
    matching.addAll(matchingByFormerNames());
    matching.addAll(matchingDefinitions());
    for (int i = 0; i < suspects.size(); i++) {
      if (!matching.contains(i)) {
        broken(suspects.get(i));
      }
    }
    suspects.clear();
    characters = 0;
  }

  /**
   * Restores the former names in the suspects, whose references come one by one, and finds the
   * suspects that match with them.
   */
  private final class RestoredNames {
    final Set<Integer> matching = new HashSet<>();
    private final IdentityHashMap<JsonNode, String> texts = new IdentityHashMap<>();
    private int index = -1;
    private JsonNode payload;
    private boolean hasCurrentNames;

    boolean take(int suspect, Name name) {
      if (suspect != index) {
        end();
        index = suspect;
        payload = suspects.get(suspect).payload();
        hasCurrentNames = true;
      }
      var node = at(payload, name.pointer());
      hasCurrentNames &= name.today().equals(node.textValue());
      texts.put(node, name.then());
      return true;
    }

    /** To be called after the last reference of a suspect. */
    void end() {
      if (index >= 0 && hasCurrentNames && suspects.get(index).matches(payload, texts)) {
        matching.add(index);
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

  /**
   * The definitions that match with the shape names that they were written with, if renames explain
   * the present ones.
   */
  private Set<Integer> matchingDefinitions() {
    if (suspects.stream().noneMatch(Version::isShape)) {
      return Set.of();
    }
    var matching = new HashSet<Integer>();
    database.each(
        """
        select n.ordinal - 1, v.written_data
        from unnest(?, ?) with ordinality as n (id, version, ordinal)
        cross join lateral %s v
        where v.written_data is not null
        """
            .formatted(ByKey.version("?", "n.id", "n.version")),
        FETCH_DEFINITIONS,
        row -> {
          int index = row.getInt(1);
          return !isAsWritten(suspects.get(index), row.getString(2)) || matching.add(index);
        },
        Columns.longs(suspects, Version::entityId),
        Columns.ints(suspects, Version::number),
        repoId);
    return matching;
  }

  private boolean isAsWritten(Version version, String writtenData) {
    var payload = version.payload();
    var today = ShapeDefinition.shapeNames(payload);
    var written =
        ShapeDefinition.shapeNames(Version.payload(writtenData)).stream()
            .map(JsonNode::textValue)
            .toList();
    if (written.size() != today.size()) {
      return false;
    }
    var renamed = renamedSince(version, Set.copyOf(written));
    var then = new IdentityHashMap<JsonNode, String>();
    for (int i = 0; i < today.size(); i++) {
      var name = written.get(i);
      if (!renamed.getOrDefault(name, name).equals(today.get(i).textValue())) {
        return false;
      }
      then.put(today.get(i), name);
    }
    return version.matches(payload, then);
  }

  /** The names of today by those in a definition, where renames since then changed them. */
  private Map<String, String> renamedSince(Version version, Set<String> names) {
    var renamed = new HashMap<String, String>();
    database.each(
        LATER_NAMES,
        0,
        row -> {
          renamed.put(row.getString(1), row.getString(2));
          return true;
        },
        names.toArray(String[]::new),
        repoId,
        version.seq(),
        version.opIndex(),
        repoId,
        version.seq(),
        repoId);
    return renamed;
  }

  /** The suspects that keep both payload and hash of the previous version, as a retract does. */
  private Set<Integer> unchangedPayloads() {
    return new HashSet<>(
        database.list(
            """
            select n.ordinal - 1
            from unnest(?, ?) with ordinality as n (id, version, ordinal)
            cross join lateral %s v
            cross join lateral %s before
            where v.data_hash = before.data_hash and v.data = before.data
            """
                .formatted(
                    ByKey.version("?", "n.id", "n.version"),
                    ByKey.version("?", "n.id", "n.version - 1")),
            row -> row.getInt(1),
            Columns.longs(suspects, Version::entityId),
            Columns.ints(suspects, Version::number),
            repoId,
            repoId));
  }

  /**
   * The suspects that match with the names that their targets in the repository had when they were
   * written. Only one suspect at a time is in memory with its references.
   */
  private Set<Integer> matchingByFormerNames() {
    var restored = new RestoredNames();
    database.each(
        """
        select n.ordinal - 1, r.pointer, t.shape_name || '/' || t.name,
               %s || '/' || %s
        from unnest(?, ?, ?, ?) with ordinality as n (id, version, seq, op_index, ordinal)
        cross join lateral (
          select * from reference x
          where x.repo_id = ? and x.from_id = n.id and x.from_version = n.version
            and x.to_repo_id = x.repo_id
          offset 0) r
        cross join lateral %s t
        order by n.ordinal
        """
            .formatted(
                FormerNames.ofShape("t", AFTER),
                FormerNames.ofEntity("t", AFTER),
                ByKey.entity("r.repo_id", "r.to_id")),
        FETCH_ROWS,
        row ->
            restored.take(
                row.getInt(1), new Name(row.getString(2), row.getString(3), row.getString(4))),
        Columns.longs(suspects, Version::entityId),
        Columns.ints(suspects, Version::number),
        Columns.longs(suspects, Version::seq),
        Columns.ints(suspects, Version::opIndex),
        repoId);
    restored.end();
    return restored.matching;
  }
}
