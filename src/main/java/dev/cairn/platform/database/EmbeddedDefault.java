package dev.cairn.platform.database;

import dev.cairn.platform.LocalCommands;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.configuration.RuntimeConfigBuilder;
import io.smallrye.config.PropertiesLocationConfigSourceFactory;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jboss.logging.Logger;

/**
 * Starts the embedded PostgreSQL if no database is configured, and with it the defaults that {@code
 * docs/configuration.md} describes: a secret key in the data directory, open sign-up, a quota of 10
 * GiB for each organization, the demo repository, and commands for its organization. It runs before
 * Quarkus has a configuration, so it reads the same sources itself and passes its values on as
 * system properties. These override every other source, so none is set for a setting that has a
 * value in any source.
 */
public final class EmbeddedDefault implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(EmbeddedDefault.class);

  private final EmbeddedDatabase.Running database;

  private EmbeddedDefault(EmbeddedDatabase.Running database) {
    this.database = database;
  }

  /**
   * Starts the embedded database if {@code cairn.database.url} is not set.
   *
   * @throws IllegalStateException if it cannot start, or a setting cannot be read; the message says
   *     what to do
   */
  public static Optional<EmbeddedDefault> start() {
    // Sources that no file overrides come first: reading files takes a part of a fast start.
    if (isText(System.getProperty("cairn.database.url"))
        || isText(System.getenv("CAIRN_DATABASE_URL"))) {
      return Optional.empty();
    }
    var config = configuration();
    if (setting(config, "cairn.database.url").isPresent()) {
      return Optional.empty();
    }
    var launcher =
        ServiceLoader.load(EmbeddedDatabase.class, EmbeddedDefault.class.getClassLoader())
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "this build has no embedded PostgreSQL; set CAIRN_DATABASE_URL,"
                            + " CAIRN_DATABASE_USER and CAIRN_DATABASE_PASSWORD."));
    var directory =
        Path.of(setting(config, "cairn.data-dir").orElse("./data")).toAbsolutePath().normalize();
    var defaults = defaults(config, LocalCommands.obstacle().isEmpty());
    boolean hasKey = isSet(config, "cairn.secret-key");
    var running = launcher.start(directory, true);
    System.setProperty("cairn.database.url", running.jdbcUrl());
    System.setProperty("cairn.database.user", running.user());
    System.setProperty("cairn.database.password", running.password());
    System.setProperty("cairn.database.embedded", "true");
    if (!hasKey) {
      System.setProperty("cairn.secret-key", secretKey(directory));
    }
    defaults.forEach(System::setProperty);
    running.onFailure(EmbeddedDefault::end);
    return Optional.of(new EmbeddedDefault(running));
  }

  /** Ends the service: a supervisor can then start both again. */
  private static void end() {
    LOG.error("The embedded PostgreSQL has ended (see its log), so the service ends too.");
    Quarkus.asyncExit(1);
  }

  private static boolean isText(String value) {
    return value != null && !value.isBlank();
  }

  /** Stops the database. */
  @Override
  public void close() {
    database.close();
  }

  /**
   * The sources that Quarkus reads when it starts, such as system properties, environment
   * variables, {@code .env}, {@code config/application.properties} and {@code
   * quarkus.config.locations}.
   */
  private static SmallRyeConfig configuration() {
    return new SmallRyeConfigBuilder()
        .withCustomizers(new RuntimeConfigBuilder())
        .withSources(new PropertiesLocationConfigSourceFactory())
        .build();
  }

  /**
   * The defaults for the embedded database, without those that {@code config} sets.
   *
   * @param canRunCommands whether this machine can run commands for the demo repository
   */
  static Map<String, String> defaults(SmallRyeConfig config, boolean canRunCommands) {
    var defaults = new HashMap<String, String>();
    defaults.put("cairn.demo", "true");
    defaults.put("cairn.signup.open", "true");
    defaults.put("cairn.quotas.bytes-per-organization", "10737418240");
    if (canRunCommands
        && !isSet(config, "cairn.sprite.backend")
        && (!isSet(config, "cairn.demo") || config.getValue("cairn.demo", Boolean.class))) {
      defaults.put("cairn.sprite.backend", "local");
      // Sign-up may be open, and an account alone must not be enough to run commands.
      defaults.put("cairn.sprite.organizations", "demo");
    }
    defaults.keySet().removeIf(property -> isSet(config, property));
    return defaults;
  }

  /** Whether a setting has a value, also as a list with an index for each element. */
  private static boolean isSet(SmallRyeConfig config, String property) {
    return setting(config, property).isPresent()
        || !config.getIndexedProperties(property).isEmpty();
  }

  /** The value of a setting, unless that is empty. */
  private static Optional<String> setting(SmallRyeConfig config, String property) {
    var value = config.getConfigValue(property);
    if (value.hasProblems()) {
      // It refers to another setting that does not exist, which a default would hide.
      throw new IllegalStateException(value.getProblems().getFirst().getMessage());
    }
    return Optional.ofNullable(value.getValue()).filter(text -> !text.isBlank());
  }

  private static String secretKey(Path directory) {
    var file = directory.resolve("secret.key");
    try {
      if (!Files.exists(file)) {
        var key = new byte[32];
        new SecureRandom().nextBytes(key);
        var partial = directory.resolve("secret.key.partial");
        Files.deleteIfExists(partial);
        if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
          Files.createFile(
              partial,
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
        Files.writeString(partial, Base64.getEncoder().encodeToString(key));
        Files.move(partial, file);
      }
      return Files.readString(file).trim();
    } catch (IOException e) {
      throw new UncheckedIOException("the secret key in " + file, e);
    }
  }
}
