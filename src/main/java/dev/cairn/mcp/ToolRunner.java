package dev.cairn.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.model.IJson;
import dev.cairn.model.Problem;
import dev.cairn.platform.Failure;
import dev.cairn.platform.JsonPage;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Runs tools, and says what came of it in the way of the protocol; {@code docs/mcp.md}, Errors. */
@ApplicationScoped
public class ToolRunner {
  private static final long BEAT_MILLIS = 1_000;

  private final ObjectMapper json;
  private final Vertx vertx;
  private final MeterRegistry metrics;

  ToolRunner(ObjectMapper json, Vertx vertx, MeterRegistry metrics) {
    this.json = json;
    this.vertx = vertx;
    this.metrics = metrics;
  }

  /**
   * Runs a tool. Whatever goes wrong in it is told in the result.
   *
   * @throws McpError where the call is not one by the protocol
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
   * Reads a resource.
   *
   * @throws McpError where it may not be read, or cannot be
   */
  public <T> T read(Supplier<T> reading) {
    try {
      return reading.get();
    } catch (McpError e) {
      throw e;
    } catch (RuntimeException e) {
      var problem = Failure.of(e).document();
      var error = McpError.params(problem.detail());
      error.data().setAll((ObjectNode) tree(problem));
      throw error;
    }
  }

  /** A client that asked for progress hears every second that the call still runs. */
  private ToolResult timed(Tool tool, ToolCall call) {
    if (call.progress() == ToolCall.Progress.NONE) {
      return answered(tool, call);
    }
    var beats = new AtomicInteger();
    long beating =
        vertx.setPeriodic(
            BEAT_MILLIS,
            _ -> {
              int seconds = beats.incrementAndGet();
              call.progress().tell(seconds, null, tool.title() + ": " + seconds + " s");
            });
    try {
      return answered(tool, call);
    } finally {
      vertx.cancelTimer(beating);
    }
  }

  private ToolResult answered(Tool tool, ToolCall call) {
    try {
      check(tool, call.arguments());
      return result(tool.handler().answer(call));
    } catch (McpError e) {
      throw e;
    } catch (RuntimeException e) {
      return ToolResult.error((ObjectNode) tree(Failure.of(e).document()));
    }
  }

  private ToolResult result(Object answer) {
    return switch (answer) {
      case ToolResult result -> result;
      case JsonPage page -> ToolResult.of(parsed(page.json()));
      case byte[] bytes -> ToolResult.of(parsed(bytes));
      case String text -> ToolResult.of(parsed(text));
      case List<?> items -> ToolResult.of(json.createObjectNode().set("items", tree(items)));
      default -> ToolResult.of((ObjectNode) tree(answer));
    };
  }

  private JsonNode tree(Object answer) {
    try {
      // Some records hold raw JSON, which only text makes part of a tree.
      return json.readTree(json.writeValueAsString(answer));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ObjectNode parsed(byte[] bytes) {
    try {
      return (ObjectNode) json.readTree(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ObjectNode parsed(String text) {
    try {
      return (ObjectNode) json.readTree(text);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the schema says of the arguments themselves; their values the services judge. */
  private static void check(Tool tool, ObjectNode arguments) {
    var known = tool.arguments(false);
    for (var argument : known) {
      var value = arguments.get(argument.name());
      if (value == null && argument.isRequired()) {
        throw Problem.invalid(
            pointer(argument.name()), "The argument `" + argument.name() + "` is required.");
      }
      if (value != null && !isOf(argument.schema().path("type").asText(), value)) {
        throw Problem.invalid(
            pointer(argument.name()),
            "`%s` must be of the JSON type %s."
                .formatted(argument.name(), argument.schema().path("type").asText()));
      }
    }
    for (var argument : arguments.properties()) {
      if (known.stream().noneMatch(k -> k.name().equals(argument.getKey()))) {
        throw Problem.invalid(pointer(argument.getKey()), "There is no such argument.")
            .hint(
                "%s takes: %s."
                    .formatted(
                        tool.name(),
                        String.join(", ", known.stream().map(Tool.Argument::name).toList())));
      }
    }
  }

  private static String pointer(String argument) {
    return IJson.pointer("", argument);
  }

  private static boolean isOf(String type, JsonNode value) {
    return switch (type) {
      case "string" -> value.isTextual();
      case "integer" -> value.isIntegralNumber();
      case "boolean" -> value.isBoolean();
      case "array" -> value.isArray();
      case "object" -> value.isObject();
      default -> true;
    };
  }
}
