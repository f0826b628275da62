package dev.cairn.platform.database;

import java.nio.file.Path;

/**
 * Starts a PostgreSQL that belongs to this process. Found by {@link java.util.ServiceLoader}, so
 * that a native image, where it is not registered, does not contain it.
 */
public interface EmbeddedDatabase {

  /**
   * Starts it and returns when it accepts connections.
   *
   * @param directory the directory of its data, programs and log; created if it does not exist
   * @param durable whether a commit survives a crash of the machine; false only in tests
   * @throws IllegalStateException if another service uses the directory, or the start fails
   */
  Running start(Path directory, boolean durable);

  /** A started PostgreSQL; must be closed after the last connection to it. */
  interface Running extends AutoCloseable {

    /** The JDBC URL of a database that {@link #user} owns. */
    String jdbcUrl();

    /**
     * An ordinary role and not a superuser, so that a missing privilege is noticed here already.
     */
    String user();

    /** The password of {@link #user}; random, generated at the first start. */
    String password();

    /**
     * Has something done, on any thread, if it ends without {@link #close}: nothing starts it
     * again.
     */
    void onFailure(Runnable action);

    /** Stops it, which rolls back open transactions, and releases the directory. */
    @Override
    void close();
  }
}
