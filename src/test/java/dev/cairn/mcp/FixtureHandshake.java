package dev.cairn.mcp;

import static dev.cairn.mcp.FixtureTools.text;
import static dev.cairn.mcp.FixtureTools.tool;
import static dev.cairn.mcp.Fixtures.json;
import static java.util.concurrent.TimeUnit.SECONDS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.Uncommon;
import io.quarkus.arc.properties.IfBuildProperty;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The tools that the conformance suites call over the revisions with a handshake alone: those that
 * ask the client, or tell it, something while they run. No tool of the service does.
 */
@ApplicationScoped
@IfBuildProperty(name = Uncommon.MCP_FIXTURES, stringValue = "true")
class FixtureHandshake implements ToolSource {
  private static final int SECONDS_TO_RESPOND = 10;

  /** The requests to clients that have no response yet, by their ids. */
  private static final Map<String, CompletableFuture<JsonNode>> REQUESTS =
      new ConcurrentHashMap<>();

  /** The revisions of the service, and they accept the responses of clients. */
  @Alternative
  @Priority(1)
  @Singleton
  @IfBuildProperty(name = Uncommon.MCP_FIXTURES, stringValue = "true")
  static class Revisions extends HandshakeRevisions {
    Revisions(McpMethods methods) {
      super(methods);
    }

    @Override
    boolean isExpectedResponse(JsonNode message) {
      var request = REQUESTS.remove(message.path("id").asText());
      return request != null && request.complete(message);
    }
  }

  @Override
  public int order() {
    return 1_002;
  }

  @Override
  public List<Tool> tools() {
    return List.of(
        tool("test_sampling", FixtureHandshake::sample, string("prompt")),
        tool("test_elicitation", FixtureHandshake::elicit, string("message")),
        tool("test_elicitation_sep1034_defaults", FixtureHandshake::elicitWithDefaults),
        tool("test_elicitation_sep1330_enums", FixtureHandshake::elicitChoices));
  }

  private static Tool.Argument string(String name) {
    return Tool.required(name, Schema.string("Any text"));
  }

  private static ToolResult sample(ToolCall call) {
    var params =
        json(
            """
            {'maxTokens':100,'messages':[{'role':'user','content':{'type':'text','text':''}}]}""");
    params.withObject("/messages/0/content").put("text", call.required("prompt"));
    var response = ask(call, "sampling/createMessage", params);
    return text("LLM response: " + response.at("/content/text").asText());
  }

  private static ToolResult elicit(ToolCall call) {
    return elicit(
        call,
        call.required("message"),
        json("{'username':{'type':'string'},'email':{'type':'string'}}"));
  }

  private static ToolResult elicitWithDefaults(ToolCall call) {
    return elicit(
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

  private static ToolResult elicitChoices(ToolCall call) {
    return elicit(
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

  private static ToolResult elicit(ToolCall call, String message, ObjectNode fields) {
    var params = json("{'mode':'form'}").put("message", message);
    params.putObject("requestedSchema").put("type", "object").set("properties", fields);
    var response = ask(call, "elicitation/create", params);
    return text("The user said: " + response.path("action").asText());
  }

  /** The result of a request to the client. */
  private static JsonNode ask(ToolCall call, String method, ObjectNode params) {
    var id = UUID.randomUUID().toString();
    var response = new CompletableFuture<JsonNode>();
    REQUESTS.put(id, response);
    var request = json("{'jsonrpc':'2.0'}").put("id", id).put("method", method);
    request.set("params", params);
    call.request().stream().accept(request);
    return response.orTimeout(SECONDS_TO_RESPOND, SECONDS).join().path("result");
  }
}
