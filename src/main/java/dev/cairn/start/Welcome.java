package dev.cairn.start;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.cairn.model.Sha256;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.http.AcceptedTypes;
import dev.cairn.platform.http.BaseUrl;
import dev.cairn.platform.http.Compression;
import dev.cairn.platform.http.RequestLimits;
import dev.cairn.platform.http.RouteMethods;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * The page at {@code /} for people, the same as JSON for programs, and {@code /llms.txt} for
 * agents: what the service is and where to begin. All have the same links. See {@code docs/api.md}.
 */
@Singleton
class Welcome {
  private static final String HTML = "text/html";
  private static final String JSON = "application/json";
  private static final String TEXT = "text/plain";
  private static final String MARKDOWN_TYPE = "text/markdown";

  private static final String SUMMARY =
      "A versioned repository service for structured knowledge: shapes, things, and assertions about them.";

  private static final String DOCS =
      "The documentation is in `docs/` of the source code; `docs/README.md` is its index.";

  private static final String MARKDOWN =
      """
      # Cairn

      > %s

      Agents: connect to the MCP endpoint, call `capabilities` once, then `repo_describe`. Every
      repository has a `/{org}/{repo}/llms.txt` and a `/{org}/{repo}/agents.md` of its own. Public
      repositories can be read without a token. %s

      ## Where to begin

      %s
      """;

  private static final String STYLE =
      """
      :root { color-scheme: light dark; }
      body { max-width: 42rem; margin: 0 auto; padding: 2rem 1.25rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
      dt { font-weight: 600; margin-top: 1rem; }
      dd { margin: 0; }
      """;

  private static final String PAGE =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Cairn</title>
      <style>%s</style>
      </head>
      <body>
      <main>
      <h1>Cairn</h1>
      <p>%s</p>
      <dl>
      %s
      </dl>
      <p>%s</p>
      </main>
      </body>
      </html>
      """;

  /** Nothing is loaded but the style of the page itself. */
  private static final String POLICY =
      "default-src 'none'; style-src 'sha256-%s'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
          .formatted(Base64.getEncoder().encodeToString(Sha256.of(STYLE)));

  private final BaseUrl baseUrl;
  private final List<Link> links;

  private record Link(String path, String name, String use) {
    String asMarkdown(String base) {
      return "- [%s](%s%s): %s".formatted(name, base, path, use);
    }

    String asHtml(String base) {
      return "<dt>%1$s</dt>\n<dd>%4$s<br><a href=\"%2$s%3$s\">%2$s%3$s</a></dd>"
          .formatted(name, base, path, use);
    }
  }

  Welcome(BaseUrl baseUrl, CairnConfig config) {
    this.baseUrl = baseUrl;
    this.links = links(config.demo());
  }

  private static List<Link> links(boolean hasDemo) {
    var links = new ArrayList<Link>();
    links.add(
        new Link("/mcp", "MCP", "The endpoint for agents, by the Model Context Protocol (POST)."));
    links.add(
        new Link("/q/openapi", "API", "All routes of the HTTP API as OpenAPI, with examples."));
    links.add(new Link("/api/whoami", "Who am I", "The account and the rights of a token."));
    if (hasDemo) {
      links.add(
          new Link("/demo/world/agents.md", "Demo", "A public repository of countries to try."));
    }
    links.add(new Link("/llms.txt", "llms.txt", "This page for language models."));
    links.add(new Link("/q/health/ready", "Health", "Whether the service is ready."));
    return List.copyOf(links);
  }

  void register(@Observes Router router) {
    router.route("/").handler(this::root);
    router.route("/llms.txt").handler(this::llms);
  }

  private void root(RoutingContext context) {
    context.response().putHeader("Vary", "Accept");
    if (AcceptedTypes.prefers(context.request(), JSON, HTML)) {
      answer(context, "/", JSON, this::json);
    } else {
      answer(context, "/", HTML, this::page);
    }
  }

  private void llms(RoutingContext context) {
    context.response().putHeader("Vary", "Accept");
    var type = AcceptedTypes.prefers(context.request(), MARKDOWN_TYPE, TEXT) ? MARKDOWN_TYPE : TEXT;
    answer(context, "/llms.txt", type, this::markdown);
  }

  /** Makes a text for a base URL. */
  @FunctionalInterface
  private interface Text {
    String of(String base);
  }

  private void answer(RoutingContext context, String path, String type, Text text) {
    RequestLimits.countUnder(path);
    if (!RouteMethods.READ.allowsOrAnswers(context)) {
      return;
    }
    context
        .response()
        .putHeader("Content-Type", type + ";charset=UTF-8")
        .putHeader("Content-Security-Policy", POLICY)
        .putHeader("Referrer-Policy", "no-referrer")
        .putHeader("Cache-Control", "public, no-cache");
    Compression.end(context.request(), text.of(baseUrl.of(context.request())).getBytes(UTF_8))
        .onFailure(context::fail);
  }

  private String markdown(String base) {
    return MARKDOWN.formatted(
        SUMMARY, DOCS, links.stream().map(link -> link.asMarkdown(base)).collect(joining("\n")));
  }

  private String page(String base) {
    return PAGE.formatted(
        STYLE,
        SUMMARY,
        links.stream().map(link -> link.asHtml(base)).collect(joining("\n")),
        DOCS.replaceAll("`([^`]*)`", "<code>$1</code>"));
  }

  private String json(String base) {
    var index = JsonNodeFactory.instance.objectNode();
    index.put("name", "Cairn").put("description", SUMMARY).put("documentation", DOCS);
    var all = index.putArray("links");
    for (var link : links) {
      all.addObject()
          .put("name", link.name())
          .put("url", base + link.path())
          .put("description", link.use());
    }
    return index.toString();
  }
}
