package dev.cairn.subscription;

import dev.cairn.access.limit.StoredBytes;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.secret.SecretBox;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * The keys of credential sets, as they are stored: names and sealed values. By SQL, because a
 * change writes all keys in one statement, and values are read only to be sent or sealed again.
 */
@ApplicationScoped
class CredentialKeys {
  private final Database database;
  private final SecretBox secrets;
  private final StoredBytes storedBytes;

  CredentialKeys(Database database, SecretBox secrets, StoredBytes storedBytes) {
    this.database = database;
    this.secrets = secrets;
    this.storedBytes = storedBytes;
  }

  /** The names of a set's keys. */
  List<String> names(UUID setId) {
    return database.list(
        "select name from credential_key where set_id = ?", row -> row.getString(1), setId);
  }

  /**
   * Removes and sets the keys of a change, in the surrounding transaction.
   *
   * @param accountId who changes them
   * @throws Problem {@code PAYLOAD_TOO_LARGE} if the organization's quota of bytes is used up
   */
  void write(UUID orgId, UUID setId, UUID accountId, CredentialChange change) {
    var removed = change.removed().toArray(String[]::new);
    var names = change.set().keySet().toArray(String[]::new);
    var sealed =
        Arrays.stream(names)
            .map(
                name ->
                    secrets.seal(
                        change.set().get(name).getBytes(StandardCharsets.UTF_8),
                        CredentialSets.purpose(setId, name)))
            .toArray(byte[][]::new);
    storedBytes.reserve(orgId, bytes(sealed) - bytes(setId, names) - bytes(setId, removed));
    database.update(
        "delete from credential_key where set_id = ? and name = any (?)", setId, removed);
    database.update(
        """
        insert into credential_key (set_id, name, sealed, set_by)
        select ?, k.name, k.sealed, ? from unnest(?, ?) as k (name, sealed)
        on conflict (set_id, name)
          do update set sealed = excluded.sealed, set_by = excluded.set_by, set_at = excluded.set_at
        """,
        setId,
        accountId,
        names,
        sealed);
  }

  private static long bytes(byte[][] sealed) {
    return Arrays.stream(sealed).mapToLong(value -> StoredBytes.ROW + (long) value.length).sum();
  }

  /** What keys give back that are replaced or removed. */
  private long bytes(UUID setId, String[] names) {
    return database
        .first(
            """
            select coalesce(sum(? + octet_length(sealed)), 0) from credential_key
            where set_id = ? and name = any (?)
            """,
            row -> row.getLong(1),
            StoredBytes.ROW,
            setId,
            names)
        .orElseThrow();
  }
}
