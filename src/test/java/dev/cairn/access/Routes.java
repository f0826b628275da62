package dev.cairn.access;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The routes that the resources have, and what the caller matrix says that they need. */
public final class Routes {
  private static final Pattern SCOPE = Pattern.compile("`([a-z:-]+)`");

  private Routes() {}

  /** Every route of the service, as {@code GET /api/repos/{org}/{repo}/head}. */
  public static Stream<String> all() {
    return new ClassFileImporter()
        .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("dev.cairn").stream()
            .filter(type -> type.isAnnotatedWith(Path.class))
            .flatMap(Routes::of);
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

  private static Stream<String> of(JavaClass type) {
    return type.getAllMethods().stream().flatMap(method -> of(type, method));
  }

  private static Stream<String> of(JavaClass type, JavaMethod method) {
    var path =
        method.isAnnotatedWith(Path.class)
            ? "/" + method.getAnnotationOfType(Path.class).value()
            : "";
    return method.getAnnotations().stream()
        .filter(annotation -> annotation.getRawType().isAnnotatedWith(HttpMethod.class))
        .map(annotation -> annotation.getRawType().getSimpleName())
        .map(verb -> verb + " /" + type.getAnnotationOfType(Path.class).value() + path)
        .map(route -> route.replaceAll("/+", "/"));
  }
}
