package dev.cairn.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The data directory of one PostgreSQL server, and the server process on it. */
final class Cluster {
  static final String HOST = "127.0.0.1";

  /** After a crash the server replays up to {@code max_wal_size} before it accepts connections. */
  private static final int RECOVERY_SECONDS = 300;

  private final Path home;
  private final Path data;
  private final Programs programs;
  private volatile boolean stopping;

  Cluster(Path home, Programs programs) {
    this.home = home;
    this.data = home.resolve("postgres");
    this.programs = programs;
  }

  boolean exists() {
    return Files.exists(data);
  }

  /**
   * Creates the cluster. Every connection needs the password from the start. The collation is
   * PostgreSQL's own and sorts by code point, so that no update of the system's library changes the
   * order of an index.
   */
  void create(Path passwordFile) throws IOException {
    var unfinished = home.resolve("postgres.unfinished");
    PrivateFiles.delete(unfinished);
    programs.run(
        "initdb",
        "--pgdata=" + unfinished,
        "--username=" + EmbeddedPostgres.SUPERUSER,
        "--pwfile=" + passwordFile,
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale=C",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8");
    Files.move(unfinished, data, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Starts the server and returns its port. {@code pg_ctl} puts the server into its own session, so
   * that Ctrl-C reaches only the service, which can still write while it shuts down.
   */
  int start(boolean durable) throws IOException {
    var port = port();
    Files.writeString(data.resolve("postgresql.conf"), configuration(port, durable));
    programs.run(
        "pg_ctl",
        "start",
        "--wait",
        "--timeout=" + RECOVERY_SECONDS,
        "--pgdata=" + data,
        "--log=" + programs.log());
    return port;
  }

  /** Stops the server, if it runs, and ends its connections; committed data is kept. */
  void stop() throws IOException {
    stopping = true;
    stopServer();
  }

  private void stopServer() throws IOException {
    if (server().filter(programs::isOwn).isPresent()) {
      programs.run("pg_ctl", "stop", "--wait", "--mode=fast", "--pgdata=" + data);
    }
  }

  /** Runs the action if the started server ends without {@link #stop}. */
  void onFailure(Runnable action) throws IOException {
    Runnable unlessStopped =
        () -> {
          if (!stopping) {
            action.run();
          }
        };
    var end = server().map(ProcessHandle::onExit);
    var _ = end.orElse(CompletableFuture.completedFuture(null)).thenRun(unlessStopped);
  }

  private Optional<ProcessHandle> server() throws IOException {
    var pid = PrivateFiles.read(pidFile());
    return pid.isEmpty() ? Optional.empty() : ProcessHandle.of(Long.parseLong(pid));
  }

  /**
   * Stops the server of a service that was killed. If another program has the recorded pid now,
   * only the pid file is deleted. If no process has it, PostgreSQL handles the file, and also looks
   * for orphaned child processes.
   */
  void stopLeftover() throws IOException {
    stopServer();
    if (server().isPresent()) {
      Files.delete(pidFile());
    }
  }

  private Path pidFile() {
    return data.resolve("postmaster.pid");
  }

  /** The port of the last start if it is still free, otherwise another one. */
  private int port() throws IOException {
    var file = home.resolve("postgres.port");
    var last = PrivateFiles.read(file);
    var port = last.isEmpty() ? freePort(0) : freePort(Integer.parseInt(last));
    PrivateFiles.write(file, Integer.toString(port));
    return port;
  }

  private static int freePort(int wanted) throws IOException {
    try (var socket = new ServerSocket(wanted, 1, InetAddress.ofLiteral(HOST))) {
      return socket.getLocalPort();
    } catch (IOException e) {
      if (wanted == 0) {
        throw e;
      }
      return freePort(0);
    }
  }

  /**
   * The whole {@code postgresql.conf}. The log leaves out statements, because they contain secrets,
   * and their errors, because a violated constraint is normal and the service handles it.
   */
  private static String configuration(int port, boolean durable) {
    return """
    # Written at every start of the service; changes here are lost.
    listen_addresses = '%s'
    port = %d
    unix_socket_directories = ''
    password_encryption = 'scram-sha-256'
    max_connections = 100
    # Any process on this machine can open connections, and each takes a slot until it signs in.
    authentication_timeout = '10s'
    shared_buffers = '256MB'
    random_page_cost = 1.1
    jit = off
    fsync = %3$s
    synchronous_commit = %3$s
    full_page_writes = %3$s
    wal_compression = on
    max_wal_size = '2GB'
    timezone = 'UTC'
    log_timezone = 'UTC'
    default_text_search_config = 'pg_catalog.english'
    log_min_messages = log
    log_min_error_statement = panic
    """
        .formatted(HOST, port, durable ? "on" : "off");
  }
}
