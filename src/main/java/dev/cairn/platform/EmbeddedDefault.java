package dev.cairn.platform;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * The default without a configured database: an embedded PostgreSQL in the data directory, with the
 * secret key beside it, sign-up open, 10 GiB for each organization, the demo repository, and
 * commands for it. Works before the configuration exists, and so speaks to it through system
 * properties.
 */
public final class EmbeddedDefault implements AutoCloseable {
  private final EmbeddedDatabase.Running database;

  private EmbeddedDefault(EmbeddedDatabase.Running database) {
    this.database = database;
  }

  /**
   * Starts the embedded database where {@code CAIRN_DATABASE_URL} is not set.
   *
   * @throws IllegalStateException where it cannot, with a sentence on what to do
   */
  public static Optional<EmbeddedDefault> start() {
    if (setting("cairn.database.url").isPresent()) {
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
        Path.of(setting("cairn.data-dir").orElse("./data")).toAbsolutePath().normalize();
    var running = launcher.start(directory, true);
    System.setProperty("cairn.database.url", running.jdbcUrl());
    System.setProperty("cairn.database.user", running.user());
    System.setProperty("cairn.database.password", running.password());
    System.setProperty("cairn.database.embedded", "true");
    byDefault("cairn.secret-key", secretKey(directory));
    byDefault("cairn.demo", "true");
    byDefault("cairn.signup.open", "true");
    byDefault("cairn.quotas.bytes-per-organization", "10737418240");
    boolean demo = setting("cairn.demo").filter("true"::equals).isPresent();
    if (demo && setting("cairn.sprite.backend").isEmpty() && LocalCommands.obstacle().isEmpty()) {
      // Anybody may sign up here, and must not run commands by that.
      System.setProperty("cairn.sprite.backend", "local");
      byDefault("cairn.sprite.organizations", "demo");
    }
    return Optional.of(new EmbeddedDefault(running));
  }

  /** Stops the database. */
  @Override
  public void close() {
    database.close();
  }

  private static void byDefault(String property, String value) {
    if (setting(property).isEmpty()) {
      System.setProperty(property, value);
    }
  }

  private static Optional<String> setting(String property) {
    var variable = property.replaceAll("[.-]", "_").toUpperCase(Locale.ROOT);
    return Optional.ofNullable(System.getProperty(property))
        .or(() -> Optional.ofNullable(System.getenv(variable)))
        .filter(value -> !value.isBlank());
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
