package dev.cairn.openapi;

import groovy.lang.DelegatingMetaClass;
import groovy.lang.GroovySystem;
import groovy.lang.MetaClass;
import java.util.Set;
import java.util.function.Function;

/**
 * Replaces methods of one of RestAssured's classes in Groovy, which Groovy calls by their names.
 */
abstract class Replacement extends DelegatingMetaClass {
  private final Set<String> methods;

  /**
   * @param original what the class does by itself
   * @param methods the names of the methods that are replaced
   */
  Replacement(MetaClass original, String... methods) {
    super(original);
    this.methods = Set.of(methods);
  }

  /** Puts a replacement in the place of what the class does, and of any former replacement. */
  static void install(Class<?> replaced, Function<MetaClass, Replacement> replacement) {
    var registry = GroovySystem.getMetaClassRegistry();
    registry.removeMetaClass(replaced);
    var installed = replacement.apply(registry.getMetaClass(replaced));
    installed.initialize();
    registry.setMetaClass(replaced, installed);
  }

  /** What a method that is replaced returns. */
  abstract Object call(Object receiver, Object[] arguments);

  @Override
  public Object invokeMethod(Object receiver, String name, Object[] arguments) {
    return methods.contains(name)
        ? call(receiver, arguments)
        : super.invokeMethod(receiver, name, arguments);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Object invokeMethod(
      Class sender,
      Object receiver,
      String name,
      Object[] arguments,
      boolean isCallToSuper,
      boolean fromInsideClass) {
    return methods.contains(name)
        ? call(receiver, arguments)
        : super.invokeMethod(sender, receiver, name, arguments, isCallToSuper, fromInsideClass);
  }
}
