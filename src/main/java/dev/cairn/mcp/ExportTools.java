package dev.cairn.mcp;

import dev.cairn.access.Authorizer;
import dev.cairn.access.CurrentCaller;
import dev.cairn.content.At;
import dev.cairn.export.ExportJobs;
import dev.cairn.mcp.Tool.Effect;
import dev.cairn.model.Problem;
import dev.cairn.platform.http.BaseUrl;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Tools for exports; {@code docs/export.md}. */
@ApplicationScoped
class ExportTools implements ToolSource {
  private static final String CATEGORY = "Exports";
  private static final String TOKEN = "token";
  private static final String AT = "at";

  private final CurrentCaller caller;
  private final Authorizer authorizer;
  private final ExportJobs jobs;
  private final BaseUrl baseUrl;
  private final CurrentVertxRequest request;

  ExportTools(
      CurrentCaller caller,
      Authorizer authorizer,
      ExportJobs jobs,
      BaseUrl baseUrl,
      CurrentVertxRequest request) {
    this.caller = caller;
    this.authorizer = authorizer;
    this.jobs = jobs;
    this.baseUrl = baseUrl;
    this.request = request;
  }

  @Override
  public int order() {
    return 11;
  }

  @Override
  public Optional<Toolset> toolset() {
    return Optional.of(Toolset.ADMIN);
  }

  @Override
  public List<Tool> tools() {
    return List.of(
        Tool.named("export_create", "Export a repository")
            .inRepository()
            .withEffect(Effect.SETS)
            .describedAs(
                """
                Builds an export of the whole repository in the background and returns its exportToken.
                Call again with it as `token` until the answer has the `url` of the download.
                """)
            .takesLike("export_create", AT, TOKEN)
            .returns(
                Schema.object(
                    "exportToken?:string",
                    "atRepoSeq?:integer",
                    "state?:string",
                    "url?:string",
                    "expiresAt?:integer"))
            .handledBy(CATEGORY, this::create));
  }

  private Object create(ToolCall call) {
    var access = authorizer.export(caller.get(), call.org(), call.repo());
    var at = call.parameters(Set.of(AT, TOKEN)).text(AT).map(text -> At.parse("?" + AT, text));
    var token = call.text(TOKEN);
    if (token.isEmpty()) {
      return jobs.requestExport(access, at);
    }
    if (at.isPresent()) {
      throw Problem.invalid("/" + AT, "`at` cannot be combined with `token`.");
    }
    return jobs.progress(access, token.get(), baseUrl.ofLinks(request.getCurrent().request()));
  }
}
