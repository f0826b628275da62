package dev.cairn.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quarkiverse.mcp.server.AudioContent;
import io.quarkiverse.mcp.server.BlobResourceContents;
import io.quarkiverse.mcp.server.Content;
import io.quarkiverse.mcp.server.EmbeddedResource;
import io.quarkiverse.mcp.server.FeatureManager.FeatureArguments;
import io.quarkiverse.mcp.server.ImageContent;
import io.quarkiverse.mcp.server.McpException;
import io.quarkiverse.mcp.server.McpServer;
import io.quarkiverse.mcp.server.Progress;
import io.quarkiverse.mcp.server.PromptManager;
import io.quarkiverse.mcp.server.PromptMessage;
import io.quarkiverse.mcp.server.PromptResponse;
import io.quarkiverse.mcp.server.ResourceContents;
import io.quarkiverse.mcp.server.ResourceManager;
import io.quarkiverse.mcp.server.ResourceResponse;
import io.quarkiverse.mcp.server.ResourceTemplateManager;
import io.quarkiverse.mcp.server.Role;
import io.quarkiverse.mcp.server.TextContent;
import io.quarkiverse.mcp.server.TextResourceContents;
import io.quarkiverse.mcp.server.ToolManager;
import io.quarkiverse.mcp.server.ToolManager.ToolAnnotations;
import io.quarkiverse.mcp.server.ToolResponse;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Gives the Quarkus extension, which speaks the revisions up to 2025-11-25, the same tools, prompts
 * and resources; {@code docs/mcp.md}, Revisions.
 */
@ApplicationScoped
class Handshake {
  /** The server at the path that names a repository. */
  private static final String OF_REPOSITORY = "repository";

  private static final int RESOURCE_NOT_FOUND = -32_002;

  private final ToolManager tools;
  private final PromptManager prompts;
  private final ResourceManager resources;
  private final ResourceTemplateManager templates;
  private final Catalogue catalogue;
  private final Offer offer;
  private final ToolRunner runner;
  private final CurrentVertxRequest request;

  Handshake(
      ToolManager tools,
      PromptManager prompts,
      ResourceManager resources,
      ResourceTemplateManager templates,
      Catalogue catalogue,
      Offer offer,
      ToolRunner runner,
      CurrentVertxRequest request) {
    this.tools = tools;
    this.prompts = prompts;
    this.resources = resources;
    this.templates = templates;
    this.catalogue = catalogue;
    this.offer = offer;
    this.runner = runner;
    this.request = request;
  }

  void offer(@Observes StartupEvent event) {
    for (boolean bound : new boolean[] {false, true}) {
      catalogue.tools(bound).forEach(tool -> offer(tool, bound));
    }
    var servers = new String[] {McpServer.DEFAULT, OF_REPOSITORY};
    offer.prompts().forEach(prompt -> offer(prompt, servers));
    offer.templates().forEach(template -> offerTemplate(template, servers));
    offer.resources(Optional.empty()).forEach(this::offer);
  }

  private void offer(Tool tool, boolean bound) {
    afterTheLast();
    tools
        .newTool(tool.name())
        .setServerName(bound ? OF_REPOSITORY : McpServer.DEFAULT)
        .setTitle(tool.title())
        .setDescription(tool.description())
        .setInputSchema(tool.input(bound))
        .setOutputSchema(tool.output())
        .setAnnotations(
            new ToolAnnotations(
                null,
                tool.effect().isReadOnly(),
                tool.effect().isDestructive(),
                tool.effect().isIdempotent(),
                false))
        .setHandler(
            called ->
                said(
                    () -> {
                      var arguments =
                          ToolCall.arguments(tool, arguments(called), repository(bound));
                      return response(
                          runner.run(tool, ToolCall.of(arguments, progress(called.progress()))));
                    }),
            true)
        .register();
  }

  /** The extension lists by the time of registration, which is to be the same order everywhere. */
  private static void afterTheLast() {
    var last = Instant.now();
    while (!Instant.now().isAfter(last)) {
      Thread.onSpinWait();
    }
  }

  private void offer(Prompt prompt, String... servers) {
    afterTheLast();
    var definition =
        prompts
            .newPrompt(prompt.name())
            .setServerNames(servers)
            .setTitle(prompt.title())
            .setDescription(prompt.description());
    for (var argument : prompt.arguments()) {
      definition.addArgument(argument.name(), argument.description(), argument.isRequired());
    }
    definition
        .setHandler(
            called ->
                said(
                    () ->
                        response(
                            prompt.get(
                                ToolCall.of(
                                    ToolCall.arguments(arguments(called)),
                                    ToolCall.Progress.NONE)))),
            true)
        .register();
  }

  private void offerTemplate(ResourceSource.Resource template, String... servers) {
    afterTheLast();
    templates
        .newResourceTemplate(template.name())
        .setServerNames(servers)
        .setTitle(template.title())
        .setDescription(template.description())
        .setMimeType(template.mimeType())
        .setUriTemplate(template.uri())
        .setHandler(called -> said(() -> read(called.requestUri().value())), true)
        .register();
  }

  private void offer(ResourceSource.Resource resource) {
    afterTheLast();
    resources
        .newResource(resource.name())
        .setServerName(McpServer.DEFAULT)
        .setTitle(resource.title())
        .setDescription(resource.description())
        .setMimeType(resource.mimeType())
        .setUri(resource.uri())
        .setHandler(called -> said(() -> read(called.requestUri().value())), true)
        .register();
  }

  /** The extension would run messages that are sent at once at the same time. */
  private <T> T said(Supplier<T> answer) {
    AnswerBudget answers = request.getCurrent().get(AnswerBudget.KEY);
    try {
      return answers.inTurn(answer);
    } catch (McpError e) {
      throw new McpException(e.getMessage(), e.code());
    }
  }

  /** As the endpoint read them: the extension's own objects have lost how numbers were written. */
  private JsonNode arguments(FeatureArguments called) {
    JsonNode message = request.getCurrent().get(McpEndpoint.MESSAGE);
    var id = String.valueOf(called.rawMessage().asJsonObject().getValue("id"));
    return (message.isArray() ? message.valueStream() : Stream.of(message))
        .filter(each -> each.path("id").asText().equals(id))
        .findFirst()
        .orElseThrow()
        .path("params")
        .path("arguments");
  }

  private Optional<String> repository(boolean bound) {
    var context = request.getCurrent();
    return bound
        ? Optional.of(context.pathParam("org") + "/" + context.pathParam("repo"))
        : Optional.empty();
  }

  private static ToolCall.Progress progress(Progress asked) {
    if (asked.token().isEmpty()) {
      return ToolCall.Progress.NONE;
    }
    return (done, total, message) -> {
      var notification = asked.notificationBuilder().setProgress(done).setMessage(message);
      if (total != null) {
        notification.setTotal(total);
      }
      notification.build().sendAndForget();
    };
  }

  private static ToolResponse response(ToolResult result) {
    var content = result.json().path("content").valueStream().map(Handshake::content).toList();
    return new ToolResponse(
        result.isError(), content, result.json().get("structuredContent"), null);
  }

  private static PromptResponse response(ObjectNode result) {
    return new PromptResponse(
        result.path("description").textValue(),
        result
            .path("messages")
            .valueStream()
            .map(
                message ->
                    new PromptMessage(
                        message.path("role").asText().equals("user") ? Role.USER : Role.ASSISTANT,
                        content(message.path("content"))))
            .toList());
  }

  private ResourceResponse read(String uri) {
    try {
      return runner
          .read(() -> offer.read(uri))
          .map(content -> new ResourceResponse(resource(content)))
          .orElseThrow(() -> McpError.params("There is no resource `" + uri + "`."));
    } catch (McpError e) {
      throw new McpException(e.getMessage(), RESOURCE_NOT_FOUND);
    }
  }

  private static Content content(JsonNode content) {
    var data = content.path("data").asText();
    var mimeType = content.path("mimeType").asText();
    return switch (content.path("type").asText()) {
      case "image" -> new ImageContent(data, mimeType);
      case "audio" -> new AudioContent(data, mimeType);
      case "resource" -> new EmbeddedResource(resource(content.path("resource")));
      default -> new TextContent(content.path("text").asText());
    };
  }

  private static ResourceContents resource(JsonNode content) {
    var uri = content.path("uri").asText();
    var mimeType = content.path("mimeType").textValue();
    return content.has("blob")
        ? new BlobResourceContents(uri, content.path("blob").asText(), mimeType)
        : new TextResourceContents(uri, content.path("text").asText(), mimeType);
  }
}
