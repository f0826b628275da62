package dev.cairn.mcp;

import static dev.cairn.mcp.Fixtures.PNG;
import static dev.cairn.mcp.Fixtures.json;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.Uncommon;
import dev.cairn.mcp.Prompt.Argument;
import io.quarkus.arc.properties.IfBuildProperty;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.function.Function;

/** The prompts that the conformance suites ask for. */
@ApplicationScoped
@IfBuildProperty(name = Uncommon.MCP_FIXTURES, stringValue = "true")
class FixturePrompts implements PromptSource {
  private static final String TEXT = "{'type':'text','text':'%s'}";

  @Override
  public List<Prompt> prompts() {
    return List.of(
        prompt(
            "test_simple_prompt",
            _ -> says(TEXT.formatted("This is a simple prompt for testing."))),
        prompt(
            "test_prompt_with_arguments",
            call ->
                says(
                    TEXT.formatted(
                        "Prompt with arguments: arg1=%s, arg2=%s"
                            .formatted(call.required("arg1"), call.required("arg2")))),
            "arg1",
            "arg2"),
        prompt(
            "test_prompt_with_embedded_resource",
            call ->
                says(
                    "{'type':'resource','resource':{'uri':'%s','mimeType':'text/plain','text':'!'}}"
                        .formatted(call.required("resourceUri"))),
            "resourceUri"),
        prompt(
            "test_prompt_with_image",
            _ -> says("{'type':'image','mimeType':'image/png','data':'%s'}".formatted(PNG))),
        prompt("test_input_required_result_prompt", FixturePrompts::ask));
  }

  private static Prompt prompt(
      String name, Function<ToolCall, ObjectNode> handler, String... arguments) {
    var all = List.of(arguments).stream().map(a -> new Argument(a, "Any text", true)).toList();
    return new Prompt(name, name, FixtureTools.WHAT, all, handler);
  }

  private static ObjectNode says(String content) {
    return json("{'messages':[{'role':'user','content':%s}]}".formatted(content));
  }

  private static ObjectNode ask(ToolCall call) {
    return Fixtures.responses(call).isObject()
        ? says(TEXT.formatted("Now there is a context."))
        : FixtureQuestions.question(FixtureQuestions.CONTEXT, null);
  }
}
