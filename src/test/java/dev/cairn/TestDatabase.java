package dev.cairn;

import static java.util.Map.entry;

import dev.cairn.embedded.EmbeddedPostgres;
import dev.cairn.platform.Configs;
import dev.cairn.platform.LocalCommands;
import dev.cairn.platform.database.EmbeddedDatabase;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.junit.QuarkusTestProfile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;

/** The embedded PostgreSQL under the tests: the real one, new for each run, without fsync. */
public class TestDatabase implements QuarkusTestResourceLifecycleManager {
  public static final String ADMIN_EMAIL = "admin@example.org";
  public static final String ADMIN_PASSWORD = "correct horse battery";

  /** What the operator sends to have due work done. */
  public static final String TICK_TOKEN = "the operator's own";

  /** The programs of the last build that needed some; to unpack them takes seconds. */
  private static final Path PROGRAMS = Path.of("target", "postgresql").toAbsolutePath();

  private EmbeddedDatabase.Running database;
  private Map<String, String> ofProfile = Map.of();

  @Override
  public void setContext(Context context) {
    if (context.testProfile() != null) {
      ofProfile = overrides(context.testProfile());
    }
  }

  private static Map<String, String> overrides(String profile) {
    try {
      var type = Class.forName(profile, true, Thread.currentThread().getContextClassLoader());
      return ((QuarkusTestProfile) type.getDeclaredConstructor().newInstance())
          .getConfigOverrides();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A profile has the last word; where the service is another process, this would have it. */
  @Override
  public Map<String, String> start() {
    var settings = new HashMap<>(settings());
    ofProfile.forEach(settings::replace);
    return settings;
  }

  private Map<String, String> settings() {
    try {
      var directory = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "db");
      database = started(directory.toAbsolutePath());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Map.ofEntries(
        entry("cairn.database.url", database.jdbcUrl()),
        entry("cairn.database.user", database.user()),
        entry("cairn.database.password", database.password()),
        entry("cairn.egress.allow", "127.0.0.1/32"),
        entry("cairn.secret-key", Configs.SECRET_KEY),
        entry("cairn.admin.email", ADMIN_EMAIL),
        entry("cairn.admin.password", ADMIN_PASSWORD),
        entry("cairn.sprite.backend", LocalCommands.obstacle().isEmpty() ? "local" : "none"),
        // Of those that the tests make, the ones that they mark as the service's own.
        entry("cairn.sprite.organizations", "demo"),
        entry("cairn.demo", "true"),
        entry("cairn.signup.open", "true"),
        entry("cairn.limits.sign-ins-per-minute", "0"),
        entry("cairn.limits.pats-per-hour", "0"),
        entry("cairn.limits.sessions-per-hour", "0"),
        entry("cairn.limits.changes-per-hour", "0"),
        entry("cairn.limits.members-per-minute", "0"),
        entry("cairn.limits.subscriptions-per-minute", "0"),
        entry("cairn.limits.component-calls-per-minute", "0"),
        entry("cairn.limits.registrations-per-hour", "0"),
        // The administrator makes most organizations and repositories of the tests.
        entry("cairn.limits.organizations-per-hour", "0"),
        entry("cairn.limits.repositories-per-minute", "0"),
        entry("cairn.quotas.organizations-per-account", "0"),
        entry("cairn.limits.unread-answer-seconds", "5"),
        entry("cairn.roles", "api"),
        entry("cairn.webhook.timeout", "PT3S"),
        entry("cairn.tick.token", TICK_TOKEN),
        // Tests count statements, and call themselves what runs regularly.
        entry("quarkus.scheduler.start-mode", "halted"));
  }

  /** Starts one in a new directory; of several processes, the first one unpacks the programs. */
  static EmbeddedDatabase.Running started(Path directory) throws IOException {
    if (Files.notExists(PROGRAMS)) {
      try (var channel =
              FileChannel.open(
                  PROGRAMS.resolveSibling("postgresql.lock"),
                  StandardOpenOption.CREATE,
                  StandardOpenOption.WRITE);
          var _ = channel.lock()) {
        if (Files.notExists(PROGRAMS)) {
          var running = new EmbeddedPostgres().start(directory, false);
          var links = directory.resolve("programs");
          link(directory.resolve("bin"), links);
          Files.move(links, PROGRAMS, StandardCopyOption.ATOMIC_MOVE);
          return running;
        }
      }
    }
    linkPrograms(directory);
    return new EmbeddedPostgres().start(directory, false);
  }

  /** Has a service find the programs in its data directory, if any process has unpacked them. */
  static void linkPrograms(Path directory) throws IOException {
    if (Files.exists(PROGRAMS)) {
      link(PROGRAMS, Files.createDirectories(directory).resolve("bin"));
    }
  }

  private static void link(Path from, Path to) throws IOException {
    try (var all = Files.walk(from)) {
      for (var each : all.toList()) {
        var link = to.resolve(from.relativize(each));
        if (Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)) {
          Files.createDirectory(link);
        } else {
          Files.createLink(link, each);
        }
      }
    }
  }

  @Override
  public void stop() {
    if (database != null) {
      database.close();
    }
  }
}
