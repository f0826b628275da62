package dev.cairn.mcp;

import static dev.cairn.platform.Page.CURSOR;
import static dev.cairn.platform.Page.LIMIT;

import dev.cairn.content.At;
import dev.cairn.platform.Page;
import dev.cairn.query.AboutReads;
import dev.cairn.query.EntityFilter;
import dev.cairn.query.EntityReads;
import dev.cairn.query.HistoryReads;
import dev.cairn.query.RefReads;
import dev.cairn.query.ThingReads;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
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

  ThingTools(
      ReadAccess readAccess,
      EntityReads entities,
      ThingReads things,
      AboutReads abouts,
      HistoryReads histories,
      RefReads refs) {
    this.readAccess = readAccess;
    this.entities = entities;
    this.things = things;
    this.abouts = abouts;
    this.histories = histories;
    this.refs = refs;
  }

  @Override
  public int order() {
    return 6;
  }

  @Override
  public List<Tool> tools() {
    return List.of(
        Tool.ofRoute("thing_head", "List what there is")
            .describedAs(
                """
                The present state of a repository, page by page, in the order of wrefs. Use it to
                look around; thing_query has more filters. Each item has its whole `data`. While `nextCursor` is there, there is more.
                """)
            .by(CATEGORY, call -> page(call, "head")),
        Tool.ofRoute("thing_get", "Read one entity")
            .describedAs(
                """
                One thing, assertion or shape by its wref, now, at a version, or as of a commit.
                NOT_FOUND says that there is none by this name; try thing_head with `match`.
                """)
            .by(CATEGORY, this::get),
        Tool.ofRoute("thing_query", "Find entities")
            .describedAs(
                """
                Entities that all given filters select, page by page. Filter fields by `shape` and
                `where`, names by `match`, assertions by `about`. Use thing_count first where you
                only want to know how many.
                """)
            .needing("where", "shape")
            .by(CATEGORY, call -> page(call, "query")),
        Tool.ofRoute("thing_count", "Count entities")
            .describedAs("How many entities the filters of thing_query select.")
            .needing("where", "shape")
            .by(CATEGORY, this::count),
        Tool.ofRoute("thing_about", "What is asserted about an entity")
            .describedAs(
                """
                The target and the assertions about it, newest first; with `depth` above 1 each
                carries the assertions about itself as `children`.
                """)
            .by(CATEGORY, this::about),
        Tool.ofRoute("thing_history", "Versions, newest first")
            .describedAs(
                """
                Who changed what, when and why: versions with the commits that made them. Give at
                least one of `wref`, `shape`, `about`.
                """)
            .by(CATEGORY, this::history),
        Tool.ofRoute("thing_batch", "Read many entities by name")
            .describedAs(
                """
                Up to 500 entities by their wrefs, in the order asked for; those that there are not
                are listed in `missing`.
                """)
            .by(
                CATEGORY,
                call -> things.batch(readAccess.of(call), call.as(ThingReads.Batch.class))),
        Tool.ofRoute("thing_refs", "What refers to an entity")
            .describedAs(
                """
                References to an entity (inbound) or from it (outbound): by `about`, by wref fields
                and by membership in collections. Look here before you retract or rename.
                """)
            .by(CATEGORY, this::refs),
        Tool.ofRoute("wref_resolve", "Where a wref leads")
            .describedAs(
                "Whether a wref exists: its version, kind and active state, without its data.")
            .by(
                CATEGORY,
                call -> {
                  var access = readAccess.of(call);
                  return things.resolve(access, EntityFilter.named(call.required("wref")));
                }));
  }

  private Object page(ToolCall call, String route) {
    var access = readAccess.of(call);
    var parameters = call.parameters(EntityFilter.PAGED_PARAMETERS, EntityFilter.REPEATABLE);
    return entities.page(
        access,
        route,
        EntityFilter.of(parameters),
        Page.limit(parameters),
        parameters.text(CURSOR));
  }

  private Object get(ToolCall call) {
    var access = readAccess.of(call);
    var parameters = call.parameters(Set.of("version", "at"), "wref");
    return things.get(
        access,
        EntityFilter.named(call.required("wref")),
        parameters.integer("version", 1, Integer.MAX_VALUE),
        parameters.text("at").map(text -> At.parse("at", text)));
  }

  private Object count(ToolCall call) {
    var access = readAccess.of(call);
    var filter = EntityFilter.of(call.parameters(EntityFilter.PARAMETERS, EntityFilter.REPEATABLE));
    return Map.of("count", entities.count(access, filter));
  }

  private Object about(ToolCall call) {
    var access = readAccess.of(call);
    var wanted = AboutReads.Request.of(call.parameters(AboutReads.Request.PARAMETERS, "wref"));
    return abouts.about(access, EntityFilter.named(call.required("wref")), wanted);
  }

  private Object history(ToolCall call) {
    var access = readAccess.of(call);
    return histories.page(
        access, HistoryReads.Request.of(call.parameters(HistoryReads.Request.PARAMETERS)));
  }

  private Object refs(ToolCall call) {
    var access = readAccess.of(call);
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
  }
}
