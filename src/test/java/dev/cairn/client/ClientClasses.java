package dev.cairn.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** All classes of the client. */
final class ClientClasses {
  private static final String PACKAGE = CairnClient.class.getPackageName() + ".";

  private ClientClasses() {}

  /** The classes, with nested ones. */
  static List<Class<?>> all() {
    try {
      var location = CairnClient.class.getProtectionDomain().getCodeSource().getLocation();
      var folder = Path.of(location.toURI()).resolve(PACKAGE.replace('.', '/'));
      try (var files = Files.list(folder)) {
        return files
            .map(file -> file.getFileName().toString())
            .filter(file -> file.endsWith(".class") && !file.startsWith("package-info"))
            .sorted()
            .<Class<?>>map(file -> load(file.substring(0, file.length() - ".class".length())))
            .toList();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  /** The class of a name, or null if there is none. */
  static Class<?> named(String name) {
    try {
      return Class.forName(PACKAGE + name);
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  private static Class<?> load(String name) {
    var type = named(name);
    if (type == null) {
      throw new AssertionError(name);
    }
    return type;
  }
}
