package dev.cairn.live;

import dev.cairn.content.read.StoredChanges;
import dev.cairn.content.read.StoredChanges.StoredChange;
import dev.cairn.platform.page.JsonOut;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/**
 * What a commit changed, for all who follow its repository.
 *
 * @param shapes the names of the shapes of the changed entities
 * @param wrefs the changed entities, up to {@link StoredChanges#MAX_NAMES}, and the former names of
 *     renamed ones
 * @param isTruncated whether there are more
 * @param hasRenames whether it renames anything, which changes what refers to that too
 * @param json the members of the event besides its topic, for clients that see everything
 */
public record Change(
    long seq,
    String commitId,
    Instant createdAt,
    List<String> shapes,
    List<String> wrefs,
    boolean isTruncated,
    boolean hasRenames,
    String json) {
  private static final int BYTES_OF_OBJECTS = 200;

  static Change of(StoredChange stored) {
    boolean isTruncated = stored.names().size() > StoredChanges.MAX_NAMES || !stored.isWhole();
    return of(
        stored.seq(),
        stored.commitId(),
        stored.createdAt(),
        stored.shapes(),
        first(stored.names()),
        isTruncated,
        stored.hasRenames());
  }

  private static Change of(
      long seq,
      String commitId,
      Instant createdAt,
      List<String> shapes,
      List<String> wrefs,
      boolean isTruncated,
      boolean hasRenames) {
    return new Change(
        seq,
        commitId,
        createdAt,
        shapes,
        wrefs,
        isTruncated,
        hasRenames,
        json(seq, commitId, shapes, wrefs, isTruncated));
  }

  private static List<String> first(List<String> names) {
    return names.subList(0, Math.min(names.size(), StoredChanges.MAX_NAMES));
  }

  /**
   * The same with only some of its entities.
   *
   * @param names their wrefs, of which those beyond the maximum are left out
   */
  Change with(List<String> names) {
    var shown = first(names);
    var ofNames = names.stream().map(w -> w.substring(0, w.indexOf('/'))).distinct().toList();
    return of(seq, commitId, createdAt, ofNames, shown, names.size() > shown.size(), hasRenames);
  }

  /** The same, if it cannot be found out in time of what a client is to be told. */
  Change withoutNames() {
    return of(seq, commitId, createdAt, List.of(), List.of(), true, hasRenames);
  }

  private static String json(
      long seq, String commitId, List<String> shapes, List<String> wrefs, boolean isTruncated) {
    var out = new JsonOut().object().name("repoSeq").value(seq).name("commitId").value(commitId);
    array(out, "shapes", shapes);
    array(out, "wrefs", wrefs);
    if (isTruncated) {
      out.name("truncated").value(true);
    }
    return new String(out.end().toBytes(), StandardCharsets.UTF_8).substring(1);
  }

  private static void array(JsonOut out, String name, List<String> values) {
    out.name(name).array();
    values.forEach(out::value);
    out.endArray();
  }

  /** About how much memory it takes. */
  int bytes() {
    return BYTES_OF_OBJECTS * (1 + wrefs.size()) + 3 * json.length();
  }
}
