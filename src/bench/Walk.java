import com.sun.jdi.Bootstrap;
import com.sun.jdi.Method;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.event.MethodExitEvent;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import io.vertx.core.http.HttpMethod;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Walks through one commit and one read with a debugger, and counts the packages, types and methods
 * of the service that they pass through, to say how much there is to read; a package is one with
 * its parts:
 *
 * <pre>
 * java --add-modules jdk.jdi -cp 'target/quarkus-app/lib/main/*' src/bench/Walk.java \\
 *     quarkus-run.jar...
 * </pre>
 *
 * <p>Each request is sent twenty times before, so that nothing is prepared any more, and then five
 * times with the debugger, of which that with the fewest calls counts: others may have work of the
 * background in them. {@code -Dlist} prints the types too. Methods that the compiler or Quarkus
 * generates do not count.
 */
final class Walk {
  private static final int PORT = Integer.getInteger("port", 8660);
  private static final int WARM = 20;
  private static final int TIMES = 5;
  private static final int SETTLE_MILLIS = 500;

  private static final String SHAPE =
      """
      {"operations":[{"operation":"add","name":"Shape/Package","data":{"fields":{"version":\
      "string"}}}]}""";

  /** What one request passed through. */
  private static final class Trace {
    final TreeSet<String> packages = new TreeSet<>();
    final TreeSet<String> types = new TreeSet<>();
    final TreeSet<String> methods = new TreeSet<>();
    int calls;

    /** Steps from a package into another one, by a call or a return. */
    int crossings;
  }

  /** A request by its number, so that each can have another body. */
  private interface Request {
    void send(int number) throws Exception;
  }

  private int sent;

  public static void main(String... args) throws Exception {
    System.out.println("| | Packages | Into another package and back | Types | Methods | Calls |");
    System.out.println("|---|---|---|---|---|---|");
    for (int i = 0; i < args.length; i++) {
      new Walk().build(Path.of(args[i]), PORT + 2 * i);
    }
  }

  private void build(Path jar, int port) throws Exception {
    try (var directory = new TemporaryDirectory("cairn-walk");
        var service =
            Service.start(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=" + (port + 1),
                    "-jar",
                    jar.toString()),
                port,
                Map.of("CAIRN_DATA_DIR", directory.path().resolve("data").toString()),
                directory.path().resolve("log"))) {
      service.post("/api/orgs", Map.of("name", "walk"));
      service.post("/api/orgs/walk/repos", Map.of("name", "r"));
      service.post("/api/repos/walk/r/commits", SHAPE);
      var vm = attach(port + 1);
      print(
          jar,
          "a commit of one thing",
          walk(vm, n -> service.post("/api/repos/walk/r/commits", add(n))));
      print(
          jar,
          "a read of one thing",
          walk(
              vm,
              _ ->
                  service.send(
                      HttpMethod.GET, "/api/repos/walk/r/things/Package/p1", Map.of(), null)));
      vm.dispose();
    }
  }

  private static String add(int number) {
    return """
        {"operations":[{"operation":"add","name":"Package/p%d","data":{"version":"1.0"}}]}"""
        .formatted(number);
  }

  private static void print(Path jar, String what, Trace trace) {
    System.out.printf(
        "| %s, %s | %d | %d | %d | %d | %d |%n",
        what,
        jar,
        trace.packages.size(),
        trace.crossings,
        trace.types.size(),
        trace.methods.size(),
        trace.calls);
    if (Boolean.getBoolean("list")) {
      trace.types.forEach(System.out::println);
    }
  }

  private static VirtualMachine attach(int port) throws Exception {
    var connector =
        Bootstrap.virtualMachineManager().attachingConnectors().stream()
            .filter(each -> each.transport().name().equals("dt_socket"))
            .map(AttachingConnector.class::cast)
            .findFirst()
            .orElseThrow();
    var arguments = connector.defaultArguments();
    arguments.get("hostname").setValue("127.0.0.1");
    arguments.get("port").setValue("" + port);
    return connector.attach(arguments);
  }

  private Trace walk(VirtualMachine vm, Request request) throws Exception {
    for (int i = 0; i < WARM; i++) {
      request.send(++sent);
    }
    var traces = new ArrayList<Trace>();
    for (int i = 0; i < TIMES; i++) {
      Thread.sleep(SETTLE_MILLIS);
      traces.add(trace(vm, request));
    }
    return traces.stream().min(Comparator.comparingInt(trace -> trace.calls)).orElseThrow();
  }

  private Trace trace(VirtualMachine vm, Request request) throws Exception {
    var requests = vm.eventRequestManager();
    MethodEntryRequest entries = requests.createMethodEntryRequest();
    var exits = requests.createMethodExitRequest();
    entries.addClassFilter("dev.cairn.*");
    exits.addClassFilter("dev.cairn.*");
    for (EventRequest each : List.of(entries, exits)) {
      each.setSuspendPolicy(EventRequest.SUSPEND_NONE);
      each.enable();
    }
    try {
      request.send(++sent);
      Thread.sleep(SETTLE_MILLIS);
    } finally {
      entries.disable();
      exits.disable();
    }
    return read(vm);
  }

  private static Trace read(VirtualMachine vm) throws InterruptedException {
    var trace = new Trace();
    var stacks = new HashMap<Long, ArrayDeque<String>>();
    try {
      for (var events = vm.eventQueue().remove(SETTLE_MILLIS);
          events != null;
          events = vm.eventQueue().remove(SETTLE_MILLIS)) {
        for (var event : events) {
          if (event instanceof MethodEntryEvent entry && isOurs(entry.method())) {
            var stack = stacks.computeIfAbsent(entry.thread().uniqueID(), _ -> new ArrayDeque<>());
            enter(trace, stack, entry.method());
          } else if (event instanceof MethodExitEvent exit && isOurs(exit.method())) {
            leave(trace, stacks.get(exit.thread().uniqueID()));
          }
        }
      }
    } catch (VMDisconnectedException e) {
      throw new IllegalStateException("the service ended", e);
    }
    return trace;
  }

  private static void enter(Trace trace, ArrayDeque<String> stack, Method method) {
    var type = method.declaringType().name();
    var name = type.split("[.]")[2];
    if (stack.isEmpty() || !stack.peek().equals(name)) {
      trace.crossings++;
    }
    stack.push(name);
    trace.packages.add(name);
    trace.types.add(type);
    trace.methods.add(type + "." + method.name() + method.signature());
    trace.calls++;
  }

  private static void leave(Trace trace, ArrayDeque<String> stack) {
    if (stack != null && !stack.isEmpty()) {
      var left = stack.pop();
      if (!stack.isEmpty() && !stack.peek().equals(left)) {
        trace.crossings++;
      }
    }
  }

  private static boolean isOurs(Method method) {
    var type = method.declaringType().name();
    return !method.isSynthetic()
        && !method.isBridge()
        && !type.contains("_")
        && !type.contains("$$");
  }
}
