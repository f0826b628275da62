package dev.cairn.export;

import dev.cairn.model.Sha256;
import dev.cairn.platform.database.Database;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.UUID;
import java.util.function.LongConsumer;

/**
 * Stores the output of an attempt in the database, in chunks of 1 MiB, each in a transaction of its
 * own. A chunk is written only while the attempt holds the job.
 */
final class Chunks extends OutputStream {
  private static final int CHUNK_BYTES = 1024 * 1024;
  private static final int MAX_DELETED_CHUNKS = 16;

  private final Database database;
  private final UUID repoId;
  private final UUID jobId;
  private final int attempt;
  private final LongConsumer requireRoom;
  private final Runnable afterStored;
  private final MessageDigest digest = Sha256.digest();
  private final byte[] chunk = new byte[CHUNK_BYTES];
  private int filled;
  private long stored;

  /** The attempt no longer holds the job, or it was cancelled. */
  static final class LostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LostException() {
      super(null, null, false, false);
    }
  }

  /**
   * @param requireRoom called with the length of each chunk before it is stored, in its
   *     transaction; throws if there is no room for it
   * @param afterStored called after the transaction of each chunk
   */
  Chunks(
      Database database,
      UUID repoId,
      UUID jobId,
      int attempt,
      LongConsumer requireRoom,
      Runnable afterStored) {
    this.database = database;
    this.repoId = repoId;
    this.jobId = jobId;
    this.attempt = attempt;
    this.requireRoom = requireRoom;
    this.afterStored = afterStored;
  }

  /** Deletes the chunks of earlier attempts. */
  void deleteOthers() {
    boolean isMore = true;
    while (isMore) {
      isMore = deleteSome(database, repoId, jobId, attempt);
    }
    database.update(
        "update export_job set stored_bytes = 0 where repo_id = ? and id = ? and attempt = ?",
        repoId,
        jobId,
        attempt);
  }

  /**
   * Deletes some chunks of a job: all of a large export would take longer than a statement may.
   *
   * @param attempt only those of earlier attempts
   * @return whether there may be more
   */
  static boolean deleteSome(Database database, UUID repoId, UUID jobId, int attempt) {
    return database.update(
            """
            delete from export_chunk where ctid = any (array(
              select ctid from export_chunk
              where repo_id = ? and job_id = ? and attempt < ? limit ?))
            """,
            repoId,
            jobId,
            attempt,
            MAX_DELETED_CHUNKS)
        == MAX_DELETED_CHUNKS;
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int length) {
    if (Thread.currentThread().isInterrupted()) {
      throw new LostException();
    }
    digest.update(bytes, from, length);
    for (int done = 0; done < length; ) {
      int part = Math.min(CHUNK_BYTES - filled, length - done);
      System.arraycopy(bytes, from + done, chunk, filled, part);
      filled += part;
      done += part;
      if (filled == CHUNK_BYTES) {
        store();
      }
    }
  }

  /** Writes the last chunk. */
  @Override
  public void close() {
    if (filled > 0) {
      store();
    }
  }

  private void store() {
    // In a transaction of its own, since the exported snapshot does not see other exports.
    boolean isStored = database.inNewTransaction(this::insert);
    afterStored.run();
    if (!isStored) {
      throw new LostException();
    }
    stored += filled;
    filled = 0;
  }

  /** Stores the chunk; false if the attempt lost the job. */
  private boolean insert() {
    requireRoom.accept(filled);
    return database.update(
            """
            with job as (
              update export_job set stored_bytes = ?
              where repo_id = ? and id = ? and state = 'pending' and attempt = ?
                and due_at > now()
              returning repo_id, id, attempt)
            insert into export_chunk (repo_id, job_id, attempt, start_at, bytes)
            select repo_id, id, attempt, ?, ? from job
            """,
            stored + filled,
            repoId,
            jobId,
            attempt,
            stored,
            filled == CHUNK_BYTES ? chunk : Arrays.copyOf(chunk, filled))
        > 0;
  }

  /** The number of bytes so far. */
  long size() {
    return stored + filled;
  }

  /** The SHA-256 of all bytes; to be called once, at the end. */
  byte[] sha256() {
    return digest.digest();
  }
}
