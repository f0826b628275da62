package dev.cairn.start;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.http.BaseUrl;
import dev.cairn.platform.http.ProblemDocument;
import dev.cairn.platform.http.RequestLimits;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The page at {@code /} for people, and {@code /llms.txt} for agents: where to begin. Both have the
 * same links.
 */
@Singleton
class Welcome {
  private static final Set<HttpMethod> METHODS = Set.of(HttpMethod.GET, HttpMethod.HEAD);

  private static final String SUMMARY =
      "A versioned repository service for structured knowledge: shapes, things, and assertions about them.";

  private static final String MARKDOWN =
      """
      # Cairn

      > %s

      Every repository has a `/{org}/{repo}/llms.txt` of its own.

      ## Where to begin

      %s
      """;

  private static final String PAGE =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head><meta charset="utf-8"><title>Cairn</title></head>
      <body>
      <h1>Cairn</h1>
      <p>%s</p>
      <ul>
      %s
      </ul>
      </body>
      </html>
      """;

  private final BaseUrl baseUrl;
  private final List<Link> links;

  private record Link(String path, String name, String use) {
    String asMarkdown(String base) {
      return "- [%s](%s%s): %s".formatted(name, base, path, use);
    }

    String asHtml(String base) {
      return "<li><a href=\"%2$s%3$s\">%1$s</a>: %4$s <code>%2$s%3$s</code></li>"
          .formatted(name, base, path, use);
    }
  }

  Welcome(BaseUrl baseUrl, CairnConfig config) {
    this.baseUrl = baseUrl;
    this.links = links(config.demo());
  }

  private static List<Link> links(boolean hasDemo) {
    var links = new ArrayList<Link>();
    links.add(new Link("/mcp", "MCP", "the endpoint for agents, by the Model Context Protocol."));
    links.add(new Link("/q/openapi", "OpenAPI", "all routes of the HTTP API, with examples."));
    links.add(new Link("/api/whoami", "Who am I", "the account and the rights of a token."));
    if (hasDemo) {
      links.add(
          new Link("/demo/world/llms.txt", "Demo", "a public repository of countries to try."));
    }
    links.add(new Link("/q/health/ready", "Health", "whether the service is ready."));
    return List.copyOf(links);
  }

  void register(@Observes Router router) {
    register(router, "/", "text/html;charset=UTF-8", this::page);
    register(router, "/llms.txt", "text/plain;charset=UTF-8", this::markdown);
  }

  /** Makes a text for a base URL. */
  @FunctionalInterface
  private interface Text {
    String of(String base);
  }

  private void register(Router router, String path, String type, Text text) {
    router.route(path).handler(context -> answer(context, path, type, text));
  }

  private void answer(RoutingContext context, String path, String type, Text text) {
    RequestLimits.countUnder(path);
    if (!METHODS.contains(context.request().method())) {
      ProblemDocument.end(
          context.response().putHeader("Allow", "GET, HEAD"),
          Problem.of(ErrorCode.METHOD_NOT_ALLOWED, "The path exists, but only for GET and HEAD."));
      return;
    }
    context
        .response()
        .putHeader("Content-Type", type)
        .putHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
        .putHeader("Cache-Control", "public, no-cache")
        .end(text.of(baseUrl.of(context.request())))
        .onFailure(context::fail);
  }

  private String markdown(String base) {
    return MARKDOWN.formatted(
        SUMMARY, links.stream().map(p -> p.asMarkdown(base)).collect(Collectors.joining("\n")));
  }

  private String page(String base) {
    return PAGE.formatted(
        SUMMARY, links.stream().map(p -> p.asHtml(base)).collect(Collectors.joining("\n")));
  }
}
