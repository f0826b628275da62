package dev.cairn.mcp;

import static dev.cairn.access.Permission.ORG_CONFIGURE;
import static dev.cairn.access.Permission.REPO_ADMIN;
import static dev.cairn.access.Permission.REPO_CONFIGURE;
import static dev.cairn.platform.page.Page.CURSOR;
import static dev.cairn.platform.page.Page.LIMIT;

import dev.cairn.access.Authorizer;
import dev.cairn.access.CurrentCaller;
import dev.cairn.mcp.Tool.Effect;
import dev.cairn.platform.page.Page;
import dev.cairn.query.DescribeReads;
import dev.cairn.tenant.Repositories;
import dev.cairn.tenant.RepositoryChange;
import dev.cairn.tenant.RepositoryReads;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Tools for repositories themselves; {@code docs/access.md} and {@code docs/reads.md}. */
@ApplicationScoped
class RepositoryTools implements ToolSource {
  private static final String CATEGORY = "Repositories";
  private static final Set<String> PAGED = Set.of(LIMIT, CURSOR);

  private final CurrentCaller caller;
  private final Authorizer authorizer;
  private final ReadAccess readAccess;
  private final Repositories repositories;
  private final RepositoryReads reads;
  private final DescribeReads describe;

  RepositoryTools(
      CurrentCaller caller,
      Authorizer authorizer,
      ReadAccess readAccess,
      Repositories repositories,
      RepositoryReads reads,
      DescribeReads describe) {
    this.caller = caller;
    this.authorizer = authorizer;
    this.readAccess = readAccess;
    this.repositories = repositories;
    this.reads = reads;
    this.describe = describe;
  }

  @Override
  public int order() {
    return 3;
  }

  @Override
  public Optional<Toolset> toolset() {
    return Optional.of(Toolset.ADMIN);
  }

  @Override
  public List<Tool> tools() {
    return List.of(
        Tool.ofRoute("repo_list", "List repositories")
            .describedAs(
                """
                The repositories of an organization that you may read. Next: repo_describe for the
                content of one.
                """)
            .handledBy(CATEGORY, this::list),
        Tool.ofRoute("repo_get", "Read a repository's settings")
            .describedAs("Description, visibility and settings, without the content.")
            .handledBy(CATEGORY, call -> reads.get(readAccess.of(call))),
        Tool.ofRoute("repo_create", "Create a repository")
            .withEffect(Effect.ADDS)
            .describedAs("Creates an empty repository. Next: shape_create, then commit_submit.")
            .handledBy(CATEGORY, this::create),
        Tool.ofRoute("repo_update", "Change a repository's settings")
            .withEffect(Effect.SETS)
            .describedAs(
                "Changes the given members. A new `name` changes every wref to its content.")
            .handledBy(CATEGORY, call -> update(call, call.as(RepositoryChange.class))),
        Tool.named("repo_archive", "Archive a repository")
            .inRepository()
            .withEffect(Effect.SETS)
            .describedAs("Stops writes to it; repo_unarchive allows them again.")
            .returnsLike("repo_get")
            .handledBy(CATEGORY, call -> update(call, archived(true))),
        Tool.named("repo_unarchive", "Unarchive a repository")
            .inRepository()
            .withEffect(Effect.SETS)
            .describedAs("Allows writes again.")
            .returnsLike("repo_get")
            .handledBy(CATEGORY, call -> update(call, archived(false))),
        Tool.ofRoute("repo_delete", "Delete a repository")
            .deleting("repo")
            .describedAs(
                """
                Permanently deletes a repository with its whole history. repo_archive keeps everything.
                """)
            .handledBy(CATEGORY, this::delete),
        Tool.ofRoute("repo_describe", "Describe a repository")
            .describedAs(
                """
                Start here with a repository: its shapes with fields and descriptions, entity counts,
                sample wrefs, and for each shape an example operation that is ready for commit_submit.
                """)
            .handledBy(CATEGORY, this::describe));
  }

  private static RepositoryChange archived(boolean archived) {
    return new RepositoryChange(null, null, null, archived, null);
  }

  private Object list(ToolCall call) {
    var access = authorizer.visibleOrganization(caller.get(), call.org());
    var parameters = call.parameters(PAGED);
    return reads.list(access, Page.limit(parameters), parameters.text(CURSOR));
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

  private Object delete(ToolCall call) {
    repositories.delete(
        authorizer
            .repository(caller.get(), call.org(), call.repo(), REPO_ADMIN)
            .requireUnrestricted());
    return Map.of("ok", true);
  }

  private Object describe(ToolCall call) {
    var access = readAccess.of(call);
    var parameters = call.parameters(PAGED);
    return describe.page(
        access, describe.description(access), Page.limit(parameters), parameters.text(CURSOR));
  }
}
