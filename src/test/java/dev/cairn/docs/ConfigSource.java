package dev.cairn.docs;

import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.LiteralTree;
import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;

/**
 * Reads settings and their Javadoc out of the sources of a {@code @ConfigMapping} interface and of
 * those that it refers to.
 */
final class ConfigSource {
  private final DocTrees docs;
  private final Map<String, TreePath> groups = new HashMap<>();
  private final List<Setting> settings = new ArrayList<>();

  /**
   * One setting, in the order of the source.
   *
   * @param byDefault the text of {@code @WithDefault}; null without one
   * @param meaning the Javadoc as one line of Markdown
   */
  record Setting(String property, String byDefault, String meaning) {}

  private ConfigSource(DocTrees docs) {
    this.docs = docs;
  }

  /**
   * All settings.
   *
   * @param sources each with one top-level interface, that with the annotation first
   */
  static List<Setting> read(Path... sources) {
    var compiler = ToolProvider.getSystemJavaCompiler();
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      var task =
          (JavacTask)
              compiler.getTask(
                  null,
                  files,
                  null,
                  List.of("-proc:none"),
                  null,
                  files.getJavaFileObjects(sources));
      var types = new ArrayList<TreePath>();
      for (var unit : task.parse()) {
        types.add(new TreePath(new TreePath(unit), unit.getTypeDecls().getFirst()));
      }
      var reader = new ConfigSource(DocTrees.instance(task));
      types.forEach(reader::collectGroups);
      var root = types.getFirst();
      reader.collectSettings(
          root,
          argument(((ClassTree) root.getLeaf()).getModifiers().getAnnotations(), "ConfigMapping"));
      return reader.settings;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All interfaces, by name: a method that gives one of them is no setting but a prefix. */
  private void collectGroups(TreePath path) {
    var type = (ClassTree) path.getLeaf();
    groups.put(type.getSimpleName().toString(), path);
    for (var member : type.getMembers()) {
      if (member instanceof ClassTree inner) {
        collectGroups(new TreePath(path, inner));
      }
    }
  }

  private void collectSettings(TreePath type, String prefix) {
    for (var member : ((ClassTree) type.getLeaf()).getMembers()) {
      if (member instanceof MethodTree method) {
        var property = prefix + "." + dashed(method.getName().toString());
        var group = groups.get(method.getReturnType().toString());
        if (group == null) {
          settings.add(setting(new TreePath(type, method), method, property));
        } else {
          collectSettings(group, property);
        }
      }
    }
  }

  private Setting setting(TreePath path, MethodTree method, String property) {
    var comment = docs.getDocCommentTree(path);
    if (comment == null) {
      throw new IllegalStateException(property + " has no Javadoc");
    }
    var meaning =
        comment.getFullBody().stream().map(ConfigSource::markdown).collect(Collectors.joining());
    return new Setting(
        property,
        argument(method.getModifiers().getAnnotations(), "WithDefault"),
        meaning.replaceAll("\\s+", " ").replace("|", "\\|").strip());
  }

  private static String markdown(DocTree part) {
    return part instanceof LiteralTree code && code.getKind() == DocTree.Kind.CODE
        ? "`" + code.getBody().getBody() + "`"
        : part.toString();
  }

  /** The only string that an annotation is given; null where the annotation is not there. */
  private static String argument(List<? extends AnnotationTree> annotations, String name) {
    for (var annotation : annotations) {
      if (annotation.getAnnotationType().toString().equals(name)) {
        var value = annotation.getArguments().getFirst();
        var text = value instanceof AssignmentTree named ? named.getExpression() : value;
        return ((com.sun.source.tree.LiteralTree) text).getValue().toString();
      }
    }
    return null;
  }

  private static String dashed(String camelCase) {
    return camelCase.replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
  }
}
