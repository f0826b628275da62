package dev.cairn.mcp;

import static dev.cairn.mcp.Fixtures.PNG;
import static dev.cairn.mcp.Fixtures.WAV;
import static dev.cairn.mcp.Fixtures.json;

import dev.cairn.Uncommon;
import dev.cairn.model.Problem;
import io.quarkus.arc.properties.IfBuildProperty;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/** The tools that the conformance suites call over every revision; their names say what for. */
@ApplicationScoped
@IfBuildProperty(name = Uncommon.MCP_FIXTURES, stringValue = "true")
class FixtureTools implements ToolSource {
  /** What the fixtures say of themselves. */
  static final String WHAT = "A fixture of the conformance suites.";

  private static final String CATEGORY = "Fixtures";
  private static final String TEXT = "{'type':'text','text':'%s'}";
  private static final String IMAGE = "{'type':'image','mimeType':'image/png','data':'%s'}";
  private static final double ALL = 100;

  @Override
  public int order() {
    return 1_000;
  }

  @Override
  public List<Tool> tools() {
    return List.of(
        tool("test_simple_text", _ -> text("This is a simple text response for testing.")),
        tool("test_image_content", _ -> content(IMAGE.formatted(PNG))),
        tool(
            "test_audio_content",
            _ -> content("{'type':'audio','mimeType':'audio/wav','data':'%s'}".formatted(WAV))),
        tool(
            "test_embedded_resource",
            _ ->
                content(
                    """
                    {'type':'resource','resource':{'uri':'test://embedded-resource',
                     'mimeType':'text/plain','text':'This is an embedded resource content.'}}""")),
        tool(
            "test_multiple_content_types",
            _ ->
                content(
                    TEXT.formatted("Multiple content types test:"),
                    IMAGE.formatted(PNG),
                    """
                    {'type':'resource','resource':{'uri':'test://mixed-content-resource',
                     'mimeType':'application/json','text':'{}'}}""")),
        tool("test_error_handling", FixtureTools::fail),
        tool("test_tool_with_progress", FixtureTools::progress),
        tool("test_missing_capability", FixtureTools::sample),
        tool("test_logging_tool", _ -> text("It told the log of nobody.")),
        schema());
  }

  static Tool tool(String name, Tool.Handler handler, Tool.Argument... arguments) {
    return Tool.named(name, name)
        .open()
        .describedAs(WHAT)
        .takes(arguments)
        .returns(Schema.object())
        .handledBy(CATEGORY, handler);
  }

  /** One whose schema says more than which arguments there are. */
  private static Tool schema() {
    var keywords =
        json(
            """
            {'$schema':'https://json-schema.org/draft/2020-12/schema','additionalProperties':false,
             '$defs':{'address':{'$anchor':'addressDef','type':'object','properties':{
               'street':{'type':'string'},'city':{'type':'string'}}}},
             'allOf':[{'anyOf':[{'required':['phone']},{'required':['email']}]}],
             'if':{'properties':{'contactMethod':{'const':'phone'}},'required':['contactMethod']},
             'then':{'required':['phone']},
             'else':{'required':['email']}}""");
    return new Tool(
        "json_schema_2020_12_tool",
        "json_schema_2020_12_tool",
        WHAT,
        CATEGORY,
        Tool.Effect.READS,
        true,
        false,
        List.of(
            Tool.optional("name", Schema.string("Whose")),
            Tool.optional("address", json("{'$ref':'#/$defs/address'}")),
            Tool.optional("contactMethod", Schema.word("How", "phone", "email")),
            Tool.optional("phone", Schema.string("A number")),
            Tool.optional("email", Schema.string("An address"))),
        keywords,
        Schema.object(),
        null,
        _ -> text("It is as it should be."));
  }

  static ToolResult text(String text) {
    return content(TEXT.formatted(text));
  }

  private static ToolResult content(String... items) {
    var result =
        json(
            "{'content':[%s],'structuredContent':{},'isError':false}"
                .formatted(String.join(",", items)));
    return new ToolResult(result);
  }

  private static Object fail(ToolCall call) {
    throw Problem.invalid("", "This tool intentionally returns an error for testing");
  }

  private static ToolResult progress(ToolCall call) {
    for (double done = 0; done <= ALL; done += ALL / 2) {
      call.progress(done, ALL, "so far");
    }
    return text("done");
  }

  private static ToolResult sample(ToolCall call) {
    if (!Fixtures.capabilities(call).has("sampling")) {
      var error = McpError.of(400, -32_021, "The client cannot sample.");
      error.data().putObject("requiredCapabilities").putObject("sampling");
      throw error;
    }
    return text("It could have sampled.");
  }
}
