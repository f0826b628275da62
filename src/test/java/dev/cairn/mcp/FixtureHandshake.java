package dev.cairn.mcp;

import static dev.cairn.mcp.Fixtures.json;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.Uncommon;
import io.quarkiverse.mcp.server.CompletionResponse;
import io.quarkiverse.mcp.server.ElicitationRequest.PrimitiveSchema;
import io.quarkiverse.mcp.server.PromptCompletionManager;
import io.quarkiverse.mcp.server.SamplingMessage;
import io.quarkiverse.mcp.server.ToolManager;
import io.quarkiverse.mcp.server.ToolManager.ToolArguments;
import io.quarkiverse.mcp.server.ToolResponse;
import io.quarkus.arc.properties.IfBuildProperty;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.json.JsonObject;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.function.Function;

/**
 * The tools that the conformance suites call over the revisions with a handshake alone: those that
 * ask the client, or tell it, something while they run. No tool of the service does, so they stand
 * in the extension directly.
 */
@ApplicationScoped
@IfBuildProperty(name = Uncommon.MCP_FIXTURES, stringValue = "true")
class FixtureHandshake {
  private static final String NOTHING = "{'type':'object','additionalProperties':false}";
  private static final String ONE_TEXT =
      "{'type':'object','properties':{'%1$s':{'type':'string'}},'required':['%1$s']}";

  private final ToolManager tools;
  private final PromptCompletionManager completions;

  FixtureHandshake(ToolManager tools, PromptCompletionManager completions) {
    this.tools = tools;
    this.completions = completions;
  }

  /** A field of a form, as its JSON Schema says. */
  private record Field(JsonObject asJson, boolean required) implements PrimitiveSchema {}

  void register(@Observes StartupEvent start) {
    tool("test_tool_with_logging", NOTHING, FixtureHandshake::log);
    tool("test_sampling", ONE_TEXT.formatted("prompt"), FixtureHandshake::sample);
    tool("test_elicitation", ONE_TEXT.formatted("message"), FixtureHandshake::elicit);
    tool("test_elicitation_sep1034_defaults", NOTHING, FixtureHandshake::elicitWithDefaults);
    tool("test_elicitation_sep1330_enums", NOTHING, FixtureHandshake::elicitChoices);
    completions
        .newCompletion("test_prompt_with_arguments")
        .setArgumentName("arg1")
        .setHandler(_ -> CompletionResponse.create(List.of("test")))
        .register();
  }

  private void tool(String name, String schema, Function<ToolArguments, ToolResponse> handler) {
    tools
        .newTool(name)
        .setDescription(FixtureTools.WHAT)
        .setInputSchema(new JsonObject(json(schema).toString()))
        .setHandler(handler, true)
        .register();
  }

  private static ToolResponse log(ToolArguments call) {
    call.log().info("Tool execution started");
    call.log().info("Tool processing data");
    call.log().info("Tool execution completed");
    return ToolResponse.success("done");
  }

  private static ToolResponse sample(ToolArguments call) {
    var response =
        call.sampling()
            .requestBuilder()
            .setMaxTokens(100)
            .addMessage(SamplingMessage.withUserRole(call.args().get("prompt").toString()))
            .build()
            .sendAndAwait();
    return ToolResponse.success("LLM response: " + response.content());
  }

  private static ToolResponse elicit(ToolArguments call) {
    return ask(
        call,
        call.args().get("message").toString(),
        json("{'username':{'type':'string'},'email':{'type':'string'}}"));
  }

  private static ToolResponse elicitWithDefaults(ToolArguments call) {
    return ask(
        call,
        "Please change what is not right",
        json(
            """
            {'name':{'type':'string','default':'John Doe'},
             'age':{'type':'integer','default':30},
             'score':{'type':'number','default':95.5},
             'status':{'type':'string','enum':['active','inactive','pending'],'default':'active'},
             'verified':{'type':'boolean','default':true}}"""));
  }

  private static ToolResponse elicitChoices(ToolArguments call) {
    return ask(
        call,
        "Please choose",
        json(
            """
            {'untitledSingle':{'type':'string','enum':['option1','option2','option3']},
             'titledSingle':{'type':'string','oneOf':[{'const':'value1','title':'First Option'},
               {'const':'value2','title':'Second Option'}]},
             'legacyEnum':{'type':'string','enum':['opt1','opt2'],
               'enumNames':['Option One','Option Two']},
             'untitledMulti':{'type':'array',
               'items':{'type':'string','enum':['option1','option2','option3']}},
             'titledMulti':{'type':'array','items':{'anyOf':[
               {'const':'value1','title':'First Choice'},
               {'const':'value2','title':'Second Choice'}]}}}"""));
  }

  private static ToolResponse ask(ToolArguments call, String message, ObjectNode fields) {
    var question = call.elicitation().requestBuilder().setMessage(message);
    fields
        .properties()
        .forEach(
            field ->
                question.addSchemaProperty(
                    field.getKey(), new Field(new JsonObject(field.getValue().toString()), true)));
    return ToolResponse.success("The user said: " + question.build().sendAndAwait().action());
  }
}
