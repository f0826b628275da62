package dev.cairn.platform.database;

import java.nio.file.Path;

/**
 * Starts a PostgreSQL of this process's own. Found by {@link java.util.ServiceLoader}, so that a
 * native image, where it is not registered, holds none of it.
 */
public interface EmbeddedDatabase {

  /**
   * Starts it and returns when it accepts connections.
   *
   * @param directory where its data, programs and log live; made when it does not exist
   * @param durable whether a commit survives a crash of the machine; only tests do without
   * @throws IllegalStateException when another service holds the directory, or the start fails
   */
  Running start(Path directory, boolean durable);

  /** A started PostgreSQL, to be closed after the last connection to it. */
  interface Running extends AutoCloseable {

    /** A database of which {@link #user} is the owner. */
    String jdbcUrl();

    /** An ordinary role, no superuser, so that a missing privilege shows here already. */
    String user();

    /** The password of {@link #user}; random, made at the first start. */
    String password();

    /**
     * Has something done, on any thread, if it ends without {@link #close}: nothing starts it
     * again.
     */
    void onFailure(Runnable action);

    /** Stops it, rolling back what is still open, and gives the directory free. */
    @Override
    void close();
  }
}
