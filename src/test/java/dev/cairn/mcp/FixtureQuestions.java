package dev.cairn.mcp;

import static dev.cairn.mcp.FixtureTools.text;
import static dev.cairn.mcp.FixtureTools.tool;
import static dev.cairn.mcp.Fixtures.json;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.Uncommon;
import io.quarkus.arc.properties.IfBuildProperty;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/**
 * The tools of the conformance suite for 2026-07-28 that answer with a question before they answer.
 */
@ApplicationScoped
@IfBuildProperty(name = Uncommon.MCP_FIXTURES, stringValue = "true")
class FixtureQuestions implements ToolSource {
  private static final String ASKS =
      """
      '%s':{'method':'elicitation/create','params':{'mode':'form','message':'%s',
       'requestedSchema':{'type':'object','properties':{'%s':{'type':'%s'}},'required':['%s']}}}""";
  private static final String NAME =
      ASKS.formatted("user_name", "What is your name?", "name", "string", "name");
  private static final String CONFIRM =
      ASKS.formatted("confirm", "Please confirm", "ok", "boolean", "ok");
  private static final String SAMPLE =
      """
      'capital_question':{'method':'sampling/createMessage','params':{'maxTokens':100,'messages':[
       {'role':'user','content':{'type':'text','text':'What is the capital of France?'}}]}}""";

  /** Asks for what a prompt is to be about. */
  static final String CONTEXT =
      ASKS.formatted("user_context", "What context?", "context", "string", "context");

  private static final String ROOTS = "'client_roots':{'method':'roots/list','params':{}}";

  private final FixtureState state = new FixtureState();

  @Override
  public int order() {
    return 1_001;
  }

  @Override
  public List<Tool> tools() {
    return List.of(
        tool("test_input_required_result_elicitation", FixtureQuestions::greet),
        tool("test_streaming_elicitation", FixtureQuestions::greet),
        tool("test_input_required_result_sampling", call -> once(call, SAMPLE)),
        tool("test_input_required_result_list_roots", call -> once(call, ROOTS)),
        tool("test_input_required_result_request_state", this::confirm),
        tool("test_input_required_result_tampered_state", this::confirm),
        tool("test_input_required_result_multiple_inputs", this::several),
        tool("test_input_required_result_multi_round", this::rounds),
        tool("test_input_required_result_capabilities", FixtureQuestions::whatTheClientCan));
  }

  /** A result that asks, with what the client is to send back; null for nothing. */
  static ObjectNode question(String requests, String requestState) {
    var result = json("{'resultType':'input_required','inputRequests':{%s}}".formatted(requests));
    return requestState == null ? result : result.put("requestState", requestState);
  }

  private static ToolResult ask(String requests, String requestState) {
    return new ToolResult(question(requests, requestState));
  }

  private static ToolResult greet(ToolCall call) {
    var name = Fixtures.responses(call).at("/user_name/content/name");
    return name.isTextual() ? text("Hello, " + name.asText() + "!") : ask(NAME, null);
  }

  private static ToolResult once(ToolCall call, String request) {
    return Fixtures.responses(call).isObject() ? text("Thank you.") : ask(request, null);
  }

  private ToolResult confirm(ToolCall call) {
    if (Fixtures.state(call) == null) {
      return ask(CONFIRM, state.signed("to be confirmed"));
    }
    state.verified(Fixtures.state(call));
    return text("state-ok");
  }

  private ToolResult several(ToolCall call) {
    if (Fixtures.state(call) == null) {
      return ask(String.join(",", NAME, SAMPLE, ROOTS), state.signed("three questions"));
    }
    state.verified(Fixtures.state(call));
    return text("Thank you for all three.");
  }

  private ToolResult rounds(ToolCall call) {
    var step = Fixtures.state(call) == null ? "" : state.verified(Fixtures.state(call));
    return switch (step) {
      case "" ->
          ask(ASKS.formatted("step1", "Your name?", "name", "string", "name"), state.signed("1"));
      case "1" ->
          ask(
              ASKS.formatted("step2", "Your colour?", "color", "string", "color"),
              state.signed("2"));
      default -> text("Both are known.");
    };
  }

  private static ToolResult whatTheClientCan(ToolCall call) {
    return ask(Fixtures.capabilities(call).has("elicitation") ? NAME : SAMPLE, null);
  }
}
