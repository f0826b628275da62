package dev.cairn.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.access.conditional.IdempotencyKeys;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Excerpt;
import dev.cairn.model.IJson;
import dev.cairn.model.Problem;
import dev.cairn.model.Violations;
import dev.cairn.platform.http.Failure;
import dev.cairn.platform.page.JsonPage;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.netty.buffer.ByteBufUtil;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** Runs tools, and converts their answers and failures to results; {@code docs/mcp.md}, Errors. */
@ApplicationScoped
class ToolRunner {
  private static final long PROGRESS_INTERVAL_MILLIS = 1_000;

  private final ObjectMapper json;
  private final Vertx vertx;
  private final MeterRegistry metrics;

  ToolRunner(ObjectMapper json, Vertx vertx, MeterRegistry metrics) {
    this.json = json;
    this.vertx = vertx;
    this.metrics = metrics;
  }

  /**
   * Runs a tool. Failures of the tool are reported in the result.
   *
   * @throws McpError if the protocol does not allow the call
   */
  public ToolResult run(Tool tool, ToolCall call) {
    var timer = Timer.start(metrics);
    var result = timed(tool, call);
    timer.stop(
        Timer.builder("cairn.mcp.calls")
            .description("Calls of tools over MCP")
            .tag("tool", tool.name())
            .tag("outcome", result.isError() ? "error" : "answered")
            .register(metrics));
    return result;
  }

  /**
   * Reads a resource or a list.
   *
   * @param length the length of the content, in characters of the answer
   * @throws McpError if it cannot or may not be read
   */
  <T> Optional<T> read(
      AnswerBudget budget, Supplier<Optional<T>> reading, ToLongFunction<T> length) {
    try {
      var content = budget.read(reading);
      budget.takeRead(content.map(length::applyAsLong).orElse(0L));
      return content;
    } catch (McpError e) {
      throw e;
    } catch (RuntimeException e) {
      var failure = Failure.of(e);
      var error = McpError.params(failure.problem().detail());
      error.data().setAll(json.<ObjectNode>valueToTree(failure.document()));
      throw error;
    }
  }

  /** Runs a tool, and notifies a client that requested progress every second. */
  private ToolResult timed(Tool tool, ToolCall call) {
    if (!call.wantsProgress()) {
      return answered(tool, call);
    }
    var seconds = new AtomicInteger();
    long timerId =
        vertx.setPeriodic(
            PROGRESS_INTERVAL_MILLIS,
            _ -> {
              int elapsed = seconds.incrementAndGet();
              call.progress(elapsed, null, tool.title() + ": " + elapsed + " s");
            });
    try {
      return answered(tool, call);
    } finally {
      vertx.cancelTimer(timerId);
    }
  }

  private ToolResult answered(Tool tool, ToolCall call) {
    try {
      check(tool, call.arguments());
      return result(tool, call);
    } catch (McpError e) {
      throw e;
    } catch (Problem e) {
      var problem = e.withPointers(ToolRunner::ofArgument);
      return ToolResult.error(text(written(Failure.of(problem).document())));
    } catch (RuntimeException e) {
      return ToolResult.error(text(written(Failure.of(e).document())));
    }
  }

  /** What is in the path, a parameter or a header over HTTP is a member of the arguments here. */
  private static String ofArgument(String pointer) {
    if (pointer.isEmpty() || pointer.startsWith("/")) {
      return pointer;
    }
    var parameter = pointer.startsWith("?") ? pointer.substring(1) : pointer;
    return parameter.equals(IdempotencyKeys.HEADER) ? "/idempotencyKey" : "/" + parameter;
  }

  private ToolResult result(Tool tool, ToolCall call) {
    var budget = call.request().budget();
    boolean isRead = tool.effect().isReadOnly();
    Supplier<Object> work = () -> tool.handler().answer(call);
    Object answer = isRead ? budget.read(work) : budget.write(work);
    LongConsumer take = isRead ? budget::takeRead : budget::takeWritten;
    if (answer instanceof ToolResult result) {
      take.accept(result.length());
      return result;
    }
    if (answer instanceof String text) {
      // It may wait for room, and must not hold more than the text meanwhile.
      take.accept(ByteBufUtil.utf8Bytes(text));
      return ToolResult.of(text);
    }
    var bytes = bytes(answer);
    take.accept(bytes.length);
    return ToolResult.of(text(bytes));
  }

  private static String text(byte[] json) {
    return new String(json, StandardCharsets.UTF_8);
  }

  private byte[] bytes(Object answer) {
    return switch (answer) {
      case JsonPage page -> page.json();
      case byte[] bytes -> bytes;
      case List<?> items -> written(Map.of("items", items));
      default -> written(answer);
    };
  }

  private byte[] written(Object answer) {
    try {
      return json.writeValueAsBytes(answer);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Checks which arguments are given and their JSON types, and lists all that is wrong with them;
   * the services check their values.
   */
  private static void check(Tool tool, ObjectNode arguments) {
    var known = tool.arguments(false);
    var names = known.stream().map(Tool.Argument::name).toList();
    var unknown =
        arguments.propertyStream().map(Map.Entry::getKey).filter(n -> !names.contains(n)).toList();
    var violations = new Violations();
    for (var argument : known) {
      fault(argument, arguments.get(argument.name()))
          .ifPresent(fault -> violations.add(pointer(argument.name()), fault));
    }
    for (var name : unknown) {
      violations.add(pointer(name), "The tool has no argument `%s`.".formatted(Excerpt.of(name)));
    }
    if (!violations.isEmpty()) {
      throw violations
          .problem(ErrorCode.VALIDATION_ERROR)
          .hint(
              unknown.isEmpty()
                  ? null
                  : "%s takes: %s.".formatted(tool.name(), String.join(", ", names)));
    }
    checkConfirmed(tool, arguments);
  }

  /** What is wrong with the value of an argument, which is null if it was not given. */
  private static Optional<String> fault(Tool.Argument argument, JsonNode value) {
    var name = argument.name();
    if (value == null) {
      return argument.isRequired()
          ? Optional.of("The argument `" + name + "` is required.")
          : Optional.empty();
    }
    if (isOfType(argument.schema(), value)) {
      return Optional.empty();
    }
    var types = types(argument.schema());
    return Optional.of(
        value.isArray() && types.contains("array")
            ? "`%s` must be an array of strings.".formatted(name)
            : "`%s` must be of the JSON type %s.".formatted(name, String.join(" or ", types)));
  }

  /** What is named must be named twice, so that nothing is deleted by a slip. */
  private static void checkConfirmed(Tool tool, ObjectNode arguments) {
    if (tool.deletes() == null) {
      return;
    }
    var name = arguments.path(tool.deletes()).asText();
    var names =
        tool.deletes().equals("repo")
            ? Set.of(name, arguments.path("org").asText() + "/" + name)
            : Set.of(name);
    if (!names.contains(arguments.path(Tool.CONFIRM).asText())) {
      throw Problem.invalid(
              pointer(Tool.CONFIRM),
              "`%s` must be equal to `%s`, so nothing was changed."
                  .formatted(Tool.CONFIRM, tool.deletes()))
          .hint(
              "Call again with the name that `%s` has, and only if that is meant."
                  .formatted(tool.deletes()));
    }
  }

  private static String pointer(String argument) {
    return IJson.pointer("", argument);
  }

  private static List<String> types(JsonNode schema) {
    var type = schema.path("type");
    return type.isArray()
        ? type.valueStream().map(JsonNode::asText).toList()
        : List.of(type.asText());
  }

  private static boolean isOfType(ObjectNode schema, JsonNode value) {
    return types(schema).stream().anyMatch(type -> isOfType(type, schema, value));
  }

  /** A text is taken for an array of it, as a parameter of a query that is given once. */
  private static boolean isOfType(String type, ObjectNode schema, JsonNode value) {
    boolean isOfTexts = schema.at("/items/type").asText().equals("string");
    return switch (type) {
      case "string" -> value.isTextual();
      case "integer" -> value.isIntegralNumber();
      case "boolean" -> value.isBoolean();
      case "array" ->
          value.isArray()
              ? !isOfTexts || value.valueStream().allMatch(JsonNode::isTextual)
              : value.isTextual() && isOfTexts;
      case "object" -> value.isObject();
      default -> true;
    };
  }
}
