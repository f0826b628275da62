package dev.cairn.mcp;

import static dev.cairn.access.Permission.ORG_CONFIGURE;
import static dev.cairn.access.Permission.REPO_ADMIN;
import static dev.cairn.access.Permission.REPO_CONFIGURE;
import static dev.cairn.platform.Page.CURSOR;
import static dev.cairn.platform.Page.LIMIT;

import dev.cairn.access.Authorizer;
import dev.cairn.access.CurrentCaller;
import dev.cairn.mcp.Tool.Effect;
import dev.cairn.model.Problem;
import dev.cairn.platform.Page;
import dev.cairn.query.DescribeReads;
import dev.cairn.tenant.Repositories;
import dev.cairn.tenant.RepositoryChange;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Tools for repositories themselves; {@code docs/access.md} and {@code docs/reads.md}. */
@ApplicationScoped
class RepositoryTools implements ToolSource {
  private static final String CATEGORY = "Repositories";
  private static final String CONFIRMATION = "confirmation";
  private static final Set<String> PAGED = Set.of(LIMIT, CURSOR);

  private final CurrentCaller caller;
  private final Authorizer authorizer;
  private final ReadAccess readAccess;
  private final Repositories repositories;
  private final DescribeReads describe;

  RepositoryTools(
      CurrentCaller caller,
      Authorizer authorizer,
      ReadAccess readAccess,
      Repositories repositories,
      DescribeReads describe) {
    this.caller = caller;
    this.authorizer = authorizer;
    this.readAccess = readAccess;
    this.repositories = repositories;
    this.describe = describe;
  }

  @Override
  public int order() {
    return 3;
  }

  @Override
  public List<Tool> tools() {
    return List.of(
        Tool.ofRoute("repo_list", "List repositories")
            .describedAs(
                """
                The repositories of an organization that you may read. Next: repo_describe, which
                tells what one holds.
                """)
            .by(CATEGORY, this::list),
        Tool.ofRoute("repo_get", "Read a repository's settings")
            .describedAs("Description, visibility and settings; not what it holds.")
            .by(CATEGORY, call -> repositories.get(readAccess.of(call))),
        Tool.ofRoute("repo_create", "Make a repository")
            .that(Effect.ADDS)
            .describedAs("Makes an empty repository. Next: shape_create, then commit_submit.")
            .by(CATEGORY, this::create),
        Tool.ofRoute("repo_update", "Change a repository's settings")
            .that(Effect.SETS)
            .describedAs("Changes what is given. A new `name` changes every wref into it.")
            .by(CATEGORY, call -> update(call, call.as(RepositoryChange.class))),
        Tool.named("repo_archive", "Archive a repository")
            .inRepository()
            .that(Effect.SETS)
            .describedAs("Closes it to writes; repo_unarchive opens it again.")
            .givesAs("repo_get")
            .by(CATEGORY, call -> update(call, archived(true))),
        Tool.named("repo_unarchive", "Open an archived repository")
            .inRepository()
            .that(Effect.SETS)
            .describedAs("Takes writes again.")
            .givesAs("repo_get")
            .by(CATEGORY, call -> update(call, archived(false))),
        Tool.ofRoute("repo_delete", "Delete a repository")
            .that(Effect.DESTROYS)
            .describedAs(
                """
                Deletes a repository with its whole history, for good. Where the client can ask its
                user, the user has to type the repository's name. repo_archive keeps everything.
                """)
            .by(CATEGORY, this::delete),
        Tool.ofRoute("repo_describe", "What a repository holds")
            .describedAs(
                """
                Start here with a repository: its shapes with fields and descriptions, how many
                entities each has, sample wrefs, and for each an example operation that
                commit_submit takes as it is.
                """)
            .by(CATEGORY, this::describe));
  }

  private static RepositoryChange archived(boolean archived) {
    return new RepositoryChange(null, null, null, archived, null);
  }

  private Object list(ToolCall call) {
    var access = authorizer.visibleOrganization(caller.get(), call.org());
    var parameters = call.parameters(PAGED);
    return repositories.list(access, Page.limit(parameters), parameters.text(CURSOR));
  }

  private Object create(ToolCall call) {
    var access = authorizer.organization(caller.get(), call.org(), ORG_CONFIGURE);
    return repositories.create(
        access,
        call.required("name"),
        call.text("description").orElse(null),
        call.text("visibility").orElse(null));
  }

  private Object update(ToolCall call, RepositoryChange change) {
    var access =
        authorizer
            .repository(caller.get(), call.org(), call.repo(), REPO_CONFIGURE, REPO_ADMIN)
            .requireUnrestricted();
    return repositories.update(access, change);
  }

  /** Cannot be undone, so it asks for confirmation if the client can ask its user. */
  private Object delete(ToolCall call) {
    var access =
        authorizer
            .repository(caller.get(), call.org(), call.repo(), REPO_ADMIN)
            .requireUnrestricted();
    var name = access.org() + "/" + access.repo();
    var answer = call.responses().path(CONFIRMATION);
    if (call.capabilities().has("elicitation") && !answer.isObject()) {
      return ToolResult.question(
          CONFIRMATION,
          "This deletes %s with its whole history, for good. Type its name to go on."
              .formatted(name),
          Schema.with(Schema.object(), "name", Schema.string("org/repo")));
    }
    boolean confirmed =
        answer.path("action").asText().equals("accept")
            && answer.path("content").path("name").asText().equals(name);
    if (answer.isObject() && !confirmed) {
      throw Problem.invalid(
          CONFIRMATION, "The repository was not deleted: `" + name + "` was not confirmed.");
    }
    repositories.delete(access);
    return Map.of("ok", true);
  }

  private Object describe(ToolCall call) {
    var access = readAccess.of(call);
    var parameters = call.parameters(PAGED);
    return describe.page(
        access, describe.description(access), Page.limit(parameters), parameters.text(CURSOR));
  }
}
