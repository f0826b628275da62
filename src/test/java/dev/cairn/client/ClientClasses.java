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
      var root = Path.of(location.toURI());
      try (var files = Files.walk(root.resolve(PACKAGE.replace('.', '/')))) {
        return files
            .map(file -> root.relativize(file).toString())
            .filter(file -> file.endsWith(".class") && !file.endsWith("package-info.class"))
            .sorted()
            .<Class<?>>map(file -> load(file.replaceFirst("\\.class$", "").replace('/', '.')))
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
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }
}
