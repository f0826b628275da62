package dev.cairn.access.conditional;

import dev.cairn.access.Narrowing;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.StoredBytes;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.model.Sha256;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.RowsOfRepositories;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * Answers a repeated request with the first answer. The key is stored in the transaction of its
 * request, so that neither exists without the other; an advisory lock shows that the first request
 * is still running. See {@code docs/commits.md}, Idempotency keys.
 */
@ApplicationScoped
public class IdempotencyKeys implements RowsOfRepositories {
  /** Idempotency key lifetime: it begins with the request that was carried out. */
  public static final Duration LIFETIME = Duration.ofHours(24);

  /** The header that has the key. */
  public static final String HEADER = "Idempotency-Key";

  private static final int MAX_LENGTH = 255;
  private static final int MAX_DELETED_ROWS = 1_000;
  private static final int MAX_DELETED_BYTES = 16 * 1024 * 1024;

  /** The bytes of an answer that is read at once; longer ones take room first. */
  private static final int CHUNK_BYTES = 64 * 1024;

  /** How many times its bytes an answer takes while it is read. */
  private static final int COPIES_OF_ANSWER = 3;

  // The answers of a batch have about the given number of bytes, or are one.
  private static final String EXPIRE =
      """
      with locked as materialized (
        select ctid as row, pg_column_size(answer) as bytes from idempotency_key
        where created_at < ?
        order by created_at limit ? for update skip locked),
      chosen as (
        select row, sum(bytes) over (rows unbounded preceding) - bytes as before from locked),
      expired as (
        delete from idempotency_key where ctid in (select row from chosen where before < ?)
        returning repo_id, octet_length(answer) + ? as bytes),
      counted as (
        insert into stored_bytes_change (repo_id, bytes)
        select repo_id, -sum(bytes) from expired group by repo_id)
      select (select count(*) from locked) = ? or exists (
        select from locked having count(*) > (select count(*) from expired))
      """;

  private final Database database;

  /**
   * The answer to a request.
   *
   * @param status the HTTP status, 2xx
   * @param json the body
   */
  public record Answer(int status, String json) {}

  /**
   * A stored answer.
   *
   * @param length of the answer, in bytes
   * @param answer its text; null if it is long
   */
  private record Stored(byte[] bodyHash, int status, int length, String answer) {}

  IdempotencyKeys(Database database) {
    this.database = database;
  }

  @Override
  public List<Rows> rowsOfRepositories() {
    return List.of(Rows.with("idempotency_key", "answer"));
  }

  /**
   * The key in the header of a request, if it has one.
   *
   * @param values of all its fields
   * @throws Problem {@code VALIDATION_ERROR} for more than one, or a key that is not valid
   */
  public static Optional<String> of(List<String> values) {
    if (values.size() > 1) {
      throw Problem.invalid("?" + HEADER, "`Idempotency-Key` may be there once.");
    }
    return values.stream().map(IdempotencyKeys::checked).findFirst();
  }

  /** The key, if it is valid: 1 to 255 visible ASCII characters. */
  public static String checked(String key) {
    boolean visible = key.chars().allMatch(c -> c > ' ' && c <= '~');
    if (key.isEmpty() || key.length() > MAX_LENGTH || !visible) {
      throw Problem.invalid(
          "?" + HEADER, "`Idempotency-Key` has 1 to 255 visible ASCII characters.");
    }
    return key;
  }

  /**
   * The key as it is stored. It includes what the token may write and read, because the answer to
   * one token may show what another one may not see.
   */
  public static String stored(RepositoryAccess access, String key) {
    var readable = access.readable();
    if (access.narrowing().isUnrestricted()
        && readable.filter(Narrowing::isUnrestricted).isPresent()) {
      return key;
    }
    var narrowing =
        access.narrowing().identity()
            + access.visible().identity()
            + readable.map(Narrowing::identity).orElse(" none");
    // No key holds a space.
    return key + " " + HexFormat.of().formatHex(Sha256.of(narrowing));
  }

  /**
   * The answer that was stored for the key; if there is none, takes the key for the transaction.
   *
   * @param room takes room in memory for a long answer, in bytes, before it is read
   */
  public Optional<Answer> replay(
      RepositoryAccess access, String key, byte[] bodyHash, Instant now, LongConsumer room) {
    var free =
        database.first(
            "select pg_try_advisory_xact_lock(?)", row -> row.getBoolean(1), lock(access, key));
    if (!free.orElseThrow()) {
      throw Problem.of(ErrorCode.CONFLICT, "The first request with this key still runs.")
          .with("reason", "idempotency_key_in_use")
          .hint("Send the same request again later: it gets the answer of the first one.");
    }
    var stored =
        database.first(
            """
            select body_hash, status, octet_length(answer),
                   case when octet_length(answer) <= ? then answer end
            from idempotency_key
            where repo_id = ? and account_id = ? and key = ? and created_at > ?
            """,
            row -> new Stored(row.getBytes(1), row.getInt(2), row.getInt(3), row.getString(4)),
            CHUNK_BYTES,
            access.repoId(),
            access.caller().accountIdOrNull(),
            stored(access, key),
            now.minus(LIFETIME));
    if (stored.isPresent() && !Arrays.equals(stored.get().bodyHash(), bodyHash)) {
      throw Problem.of(ErrorCode.IDEMPOTENCY_MISMATCH, "This key came with another body before.")
          .hint(
              "Use a new key for another request; the same body as before gets the first answer again.");
    }
    return stored
        .filter(found -> found.answer() == null)
        .map(found -> longAnswer(access, key, found, room))
        .orElseGet(() -> stored.map(found -> new Answer(found.status(), found.answer())));
  }

  /** Empty if the answer has expired a moment ago. */
  private Optional<Answer> longAnswer(
      RepositoryAccess access, String key, Stored found, LongConsumer room) {
    room.accept((long) COPIES_OF_ANSWER * found.length());
    return database.first(
        "select answer from idempotency_key where repo_id = ? and account_id = ? and key = ?",
        row -> new Answer(found.status(), row.getString(1)),
        access.repoId(),
        access.caller().accountIdOrNull(),
        stored(access, key));
  }

  /** The hash of the body that was sent with the key, if an answer is stored. */
  public Optional<byte[]> bodyHash(RepositoryAccess access, String key, Instant now) {
    return database.first(
        """
        select body_hash from idempotency_key
        where repo_id = ? and account_id = ? and key = ? and created_at > ?
        """,
        row -> row.getBytes(1),
        access.repoId(),
        access.caller().accountIdOrNull(),
        stored(access, key),
        now.minus(LIFETIME));
  }

  /** Stores the answer for the key, and counts its bytes; the repository's head must be locked. */
  public void keep(
      RepositoryAccess access, String key, byte[] bodyHash, Answer answer, Instant now) {
    database.update(
        """
        with former as (
          select octet_length(answer) + %1$d as bytes from idempotency_key
          where repo_id = ? and account_id = ? and key = ?),
        kept as (
          insert into idempotency_key (repo_id, account_id, key, body_hash, status, answer,
                                       created_at)
          values (?, ?, ?, ?, ?, ?, ?)
          on conflict (repo_id, account_id, key) do update
          set body_hash = excluded.body_hash, status = excluded.status,
              answer = excluded.answer, created_at = excluded.created_at
          returning octet_length(answer) + %1$d as bytes)
        %2$s
        """
            .formatted(
                StoredBytes.ROW,
                StoredBytes.addToHead(
                    "(select bytes from kept) - coalesce((select bytes from former), 0)")),
        access.repoId(),
        access.caller().accountIdOrNull(),
        stored(access, key),
        access.repoId(),
        access.caller().accountIdOrNull(),
        stored(access, key),
        bodyHash,
        answer.status(),
        answer.json(),
        now,
        access.repoId());
  }

  /**
   * Deletes answers that have expired, the oldest first.
   *
   * @return whether there may be more
   */
  public static boolean expireSome(Database database, Instant now) {
    return database
        .first(
            EXPIRE,
            row -> row.getBoolean(1),
            now.minus(LIFETIME),
            MAX_DELETED_ROWS,
            MAX_DELETED_BYTES,
            StoredBytes.ROW,
            MAX_DELETED_ROWS)
        .orElseThrow();
  }

  private static long lock(RepositoryAccess access, String key) {
    var text =
        access.repoId() + " " + access.caller().accountIdOrNull() + " " + stored(access, key);
    return ByteBuffer.wrap(Sha256.of(text)).getLong();
  }
}
