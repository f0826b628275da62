package dev.cairn.mcp;

import static dev.cairn.platform.page.Page.CURSOR;
import static dev.cairn.platform.page.Page.LIMIT;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.content.At;
import dev.cairn.platform.page.Page;
import dev.cairn.query.AboutReads;
import dev.cairn.query.EntityFilter;
import dev.cairn.query.EntityReads;
import dev.cairn.query.HistoryReads;
import dev.cairn.query.RefReads;
import dev.cairn.query.ShownFields;
import dev.cairn.query.ThingReads;
import dev.cairn.search.EntitySearch;
import dev.cairn.search.QueryVector;
import dev.cairn.search.SearchRequest;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Tools that read entities; the rules are in {@code docs/reads.md}. */
@ApplicationScoped
class ThingTools implements ToolSource {
  private static final String CATEGORY = "Read things and assertions";

  private final ReadAccess readAccess;
  private final EntityReads entities;
  private final ThingReads things;
  private final AboutReads abouts;
  private final HistoryReads histories;
  private final RefReads refs;
  private final EntitySearch search;

  ThingTools(
      ReadAccess readAccess,
      EntityReads entities,
      ThingReads things,
      AboutReads abouts,
      HistoryReads histories,
      RefReads refs,
      EntitySearch search) {
    this.readAccess = readAccess;
    this.entities = entities;
    this.things = things;
    this.abouts = abouts;
    this.histories = histories;
    this.refs = refs;
    this.search = search;
  }

  @Override
  public int order() {
    return 6;
  }

  @Override
  public Optional<Toolset> toolset() {
    return Optional.of(Toolset.READ);
  }

  @Override
  public List<Tool> tools() {
    return List.of(
        Tool.ofRoute("thing_head", "List entities")
            .describedAs(
                """
                The current state of a repository, page by page, in the order of wrefs. Use it to
                browse; thing_query has more filters. Each item has its whole `data`. If `nextCursor` is
                present, there are more.
                """)
            .handledBy(CATEGORY, call -> page(call, "head")),
        Tool.ofRoute("thing_get", "Read one entity")
            .describedAs(
                """
                One thing, assertion or shape by its wref, now, at a version, or as of a commit.
                On NOT_FOUND, no entity has this name: try thing_head with `match`.
                """)
            .handledBy(CATEGORY, this::get),
        Tool.ofRoute("thing_query", "Find entities")
            .describedAs(
                """
                Entities that match all given filters, page by page. Filter fields by `shape` and
                `where`, names by `match`, assertions by `about`. Use thing_count if you only need the
                number.
                """)
            .requiring("where", "shape")
            .handledBy(CATEGORY, call -> page(call, "query")),
        Tool.ofRoute("thing_count", "Count entities")
            .describedAs("The number of entities that the filters of thing_query select.")
            .requiring("where", "shape")
            .handledBy(CATEGORY, this::count),
        Tool.ofRoute("thing_about", "List assertions about an entity")
            .describedAs(
                """
                The target and the assertions about it, newest first; with `depth` above 1 each has
                the assertions about itself in `children`. Up to 100 wrefs get one answer, without pages.
                """)
            .takingSeveral("wref")
            .handledBy(CATEGORY, this::about),
        Tool.ofRoute("thing_history", "List versions")
            .describedAs(
                """
                Versions, newest first, with the commits that made them: who changed what, when and
                why. Give at least one of `wref`, `shape`, `about`.
                """)
            .handledBy(CATEGORY, this::history),
        Tool.ofRoute("thing_search", "Search by words or similarity")
            .describedAs(
                """
                Search in names and all texts in `data`, the best hits first: by words, or with `mode`
                hybrid also by similarity, which finds misspelt words. Give `wait` the `repoSeq` of
                your commit to find what it wrote.
                """)
            .requiring("where", "shape")
            .handledBy(CATEGORY, this::search),
        Tool.ofRoute("thing_batch", "Read many entities by name")
            .describedAs(
                """
                Up to 500 entities by their wrefs, in the order of the request; those that do not exist
                are listed in `missing`.
                """)
            .handledBy(
                CATEGORY,
                call -> things.batch(readAccess.of(call), call.as(ThingReads.Batch.class))),
        Tool.ofRoute("thing_refs", "List references of an entity")
            .describedAs(
                """
                References to an entity (inbound) or from it (outbound): by `about`, by wref fields
                and by membership in collections. Check them before you retract or rename.
                """)
            .handledBy(CATEGORY, this::refs),
        Tool.ofRoute("wref_resolve", "Resolve a wref")
            .describedAs(
                "Whether a wref exists: its version, kind and active state, without its data.")
            .handledBy(
                CATEGORY,
                call -> {
                  var access = readAccess.of(call);
                  call.parameters(Set.of(), "wref");
                  return things.resolve(access, EntityFilter.named(call.required("wref")));
                }));
  }

  private Object page(ToolCall call, String route) {
    return readAccess.list(
        call,
        access -> {
          var parameters = call.parameters(EntityFilter.PAGED_PARAMETERS, EntityFilter.REPEATABLE);
          return entities.page(
              access,
              route,
              EntityFilter.of(parameters),
              ShownFields.of(parameters),
              Page.limit(parameters),
              parameters.text(CURSOR));
        });
  }

  private Object get(ToolCall call) {
    var access = readAccess.of(call);
    var parameters = call.parameters(Set.of("version", "at"), "wref");
    return things.get(
        access,
        EntityFilter.named(call.required("wref")),
        parameters.integer("version", 1, Integer.MAX_VALUE),
        parameters.text("at").map(text -> At.parse("?at", text)));
  }

  private Object count(ToolCall call) {
    var access = readAccess.of(call);
    var filter = EntityFilter.of(call.parameters(EntityFilter.PARAMETERS, EntityFilter.REPEATABLE));
    return entities.count(access, filter);
  }

  private Object about(ToolCall call) {
    return readAccess.list(
        call,
        access ->
            call.arguments().path("wref").isArray()
                ? aboutMany(access, call)
                : aboutOne(access, call));
  }

  private Object aboutMany(RepositoryAccess access, ToolCall call) {
    var parameters =
        call.parameters(AboutReads.Request.PARAMETERS_OF_MANY, AboutReads.Request.REPEATABLE);
    return abouts.about(access, AboutReads.Many.of(parameters), AboutReads.Request.of(parameters));
  }

  private Object aboutOne(RepositoryAccess access, ToolCall call) {
    var request = AboutReads.Request.of(call.parameters(AboutReads.Request.PARAMETERS, "wref"));
    return abouts.about(access, EntityFilter.named(call.required("wref")), request);
  }

  private Object history(ToolCall call) {
    return readAccess.list(
        call,
        access ->
            histories.page(
                access,
                HistoryReads.Request.of(
                    call.parameters(
                        HistoryReads.Request.PARAMETERS, HistoryReads.Request.REPEATABLE))));
  }

  private Object search(ToolCall call) {
    var vector =
        SearchRequest.needsPreparation(call.arguments()::has)
            ? search.prepare(readAccess.of(call), searchRequest(call))
            : QueryVector.NONE;
    return readAccess.list(call, access -> search.page(access, searchRequest(call), vector));
  }

  private static SearchRequest searchRequest(ToolCall call) {
    return SearchRequest.of(call.parameters(SearchRequest.PARAMETERS, SearchRequest.REPEATABLE));
  }

  private Object refs(ToolCall call) {
    return readAccess.list(
        call,
        access -> {
          var parameters = call.parameters(Set.of("direction", LIMIT, CURSOR), "wref");
          var direction =
              parameters
                  .text("direction")
                  .map(RefReads.Direction::parse)
                  .orElse(RefReads.Direction.INBOUND);
          return refs.page(
              access,
              EntityFilter.named(call.required("wref")),
              direction,
              Page.limit(parameters),
              parameters.text(CURSOR));
        });
  }
}
