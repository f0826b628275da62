package dev.cairn.access;

import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The routes that the resources have, and what the caller matrix says that they need. */
public final class Routes {
  private static final Pattern SCOPE = Pattern.compile("`([a-z:-]+)`");
  private static final java.nio.file.Path CLASSES = java.nio.file.Path.of("target/classes");
  private static final List<String> ALL = read();

  private Routes() {}

  /** Every route of the service, as {@code GET /api/repos/{org}/{repo}/head}. */
  public static Stream<String> all() {
    return ALL.stream();
  }

  private static List<String> read() {
    try (var files = Files.walk(CLASSES)) {
      return files
          .map(file -> CLASSES.relativize(file).toString())
          .filter(name -> name.matches("dev/cairn/[^$]*\\.class") && !name.endsWith("-info.class"))
          .map(name -> type(name.replaceAll("\\.class$", "").replace('/', '.')))
          .filter(type -> type.isAnnotationPresent(Path.class))
          .flatMap(Routes::of)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Class<?> type(String name) {
    try {
      return Class.forName(name, false, Routes.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * What each route of the caller matrix in {@code docs/caller-matrix.md} may ask of a caller, its
   * rows together.
   */
  public static Map<String, Set<String>> permissions() {
    var permissions = new TreeMap<String, Set<String>>();
    Stream.concat(MatrixRow.ALONE.stream(), MatrixRow.WITHIN.stream())
        .forEach(
            row ->
                permissions
                    .computeIfAbsent(
                        row.endpoint().replaceAll(":(\\w+)", "{$1}"), _ -> new TreeSet<>())
                    .addAll(scopes(row.needs())));
    return permissions;
  }

  private static Set<String> scopes(String needs) {
    var scopes = new TreeSet<String>();
    SCOPE.matcher(needs).results().forEach(found -> scopes.add(found.group(1)));
    return scopes;
  }

  private static Stream<String> of(Class<?> type) {
    return Stream.<Class<?>>iterate(type, each -> each != Object.class, Class::getSuperclass)
        .flatMap(each -> Arrays.stream(each.getDeclaredMethods()))
        .flatMap(method -> of(type, method));
  }

  private static Stream<String> of(Class<?> type, Method method) {
    var path =
        method.isAnnotationPresent(Path.class)
            ? "/" + method.getAnnotation(Path.class).value()
            : "";
    return Arrays.stream(method.getAnnotations())
        .filter(annotation -> annotation.annotationType().isAnnotationPresent(HttpMethod.class))
        .map(annotation -> annotation.annotationType().getSimpleName())
        .map(verb -> verb + " /" + type.getAnnotation(Path.class).value() + path)
        .map(route -> route.replaceAll("/+", "/"));
  }
}
