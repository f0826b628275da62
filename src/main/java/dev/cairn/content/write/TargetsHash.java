package dev.cairn.content.write;

import dev.cairn.model.FieldPath;
import dev.cairn.model.Sha256;
import dev.cairn.platform.database.StatementBatch;
import java.util.HexFormat;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A hash of what the references of a payload lead to, and where they are in it. The data hash
 * covers names, which may have become those of others since: two payloads with the same data hash
 * are the same only if this hash is too. See {@code docs/commits.md}, revise.
 */
public final class TargetsHash {
  static final String STORED =
      """
      select n.id, encode(sha256(coalesce(
               string_agg(r.hash, '' order by r.hash collate "C"), '')::bytea), 'hex')
      from unnest(?, ?) as n (id, version)
      left join lateral (
        select encode(sha256(
                 convert_to(x.pointer || ' ' || x.to_repo_id || ' ' || x.to_id, 'UTF8')), 'hex')
                 as hash
        from (
          select * from reference z
          where z.repo_id = ? and z.from_id = n.id and z.from_version = n.version
          offset 0) x) r on true
      group by n.id
      """;

  /**
   * A reference of a payload.
   *
   * @param repoId the repository of the target
   */
  public record Target(FieldPath pointer, UUID repoId, long id) {}

  private TargetsHash() {}

  /** The hash of the references of a new payload, in any order. */
  public static String of(Stream<Target> targets) {
    return hash(
        targets
            .map(target -> hash(target.pointer() + " " + target.repoId() + " " + target.id()))
            .sorted()
            .collect(Collectors.joining()));
  }

  private static String hash(String text) {
    return HexFormat.of().formatHex(Sha256.of(text));
  }

  /**
   * Computes it for the references of stored versions.
   *
   * @param batch takes the look-up
   * @param versions of the entities, in the order of {@code ids}
   * @param found takes each entity's id and hash when the batch is sent
   */
  public static void ofStored(
      StatementBatch batch,
      UUID repoId,
      long[] ids,
      int[] versions,
      BiConsumer<Long, String> found) {
    batch.add(
        STORED,
        row -> {
          found.accept(row.getLong(1), row.getString(2));
          return true;
        },
        ids,
        versions,
        repoId);
  }
}
