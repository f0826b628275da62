import java.nio.charset.StandardCharsets;

/**
 * A PostgreSQL database, used through its command-line tools.
 *
 * @param url as {@code psql} takes it, {@code postgresql://host:port/name}
 */
record Database(String url) {

  String jdbcUrl() {
    return "jdbc:" + url;
  }

  String user() {
    return System.getenv().getOrDefault("PGUSER", "cairn");
  }

  String password() {
    return System.getenv().getOrDefault("PGPASSWORD", "none");
  }

  /** The unaligned output of {@code psql} for a command. */
  String sql(String command) throws Exception {
    return run("psql", "-qXAt", "-v", "ON_ERROR_STOP=1", "-c", command, url).strip();
  }

  /** The output of a program. */
  static String run(String... command) throws Exception {
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException(String.join(" ", command) + "\n" + said);
    }
    return said;
  }
}
