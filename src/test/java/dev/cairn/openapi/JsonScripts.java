package dev.cairn.openapi;

import groovy.lang.Binding;
import groovy.lang.GroovyShell;
import groovy.lang.MetaClass;
import groovy.lang.Script;
import io.restassured.internal.path.json.JSONAssertion;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.codehaus.groovy.runtime.InvokerHelper;

/**
 * Keeps the scripts that RestAssured makes of the paths into answers. It compiles each one each
 * time by itself, which took more of the tests' time than anything else.
 */
final class JsonScripts extends Replacement {
  /** What RestAssured calls to have the value of an expression. */
  private static final String EVALUATE = "eval";

  private static final ConcurrentMap<String, Class<? extends Script>> SCRIPTS =
      new ConcurrentHashMap<>();

  private JsonScripts(MetaClass original) {
    super(original, EVALUATE);
  }

  /** Has RestAssured use the scripts that are kept, and none of a former start of the service. */
  static void install() {
    install(JSONAssertion.class, JsonScripts::new);
  }

  @Override
  Object call(Object receiver, Object[] arguments) {
    return value((JSONAssertion) receiver, arguments);
  }

  /**
   * The value of an expression.
   *
   * @param arguments what the whole is called, the whole, and the expression
   */
  private static Object value(JSONAssertion assertion, Object[] arguments) {
    var variables = new HashMap<String, Object>();
    Map<String, Object> parameters = assertion.getParams();
    if (parameters != null) {
      variables.putAll(parameters);
    }
    variables.put(arguments[0].toString(), arguments[1]);
    var script =
        SCRIPTS.computeIfAbsent(
            arguments[2].toString(), text -> new GroovyShell().parse(text).getClass());
    return InvokerHelper.createScript(script, new Binding(variables)).run();
  }

  /** How many there are. */
  static int count() {
    return SCRIPTS.size();
  }
}
