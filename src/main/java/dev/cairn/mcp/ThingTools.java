package dev.cairn.mcp;

import static dev.cairn.mcp.Tool.optional;
import static dev.cairn.mcp.Tool.required;
import static dev.cairn.platform.Page.CURSOR;
import static dev.cairn.platform.Page.LIMIT;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.content.At;
import dev.cairn.mcp.Tool.Argument;
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
  private static final Argument WREF =
      required(
          "wref",
          Schema.string("`Shape/name`, also with `@v3` for a version; a bare name is a shape"));
  private static final Argument AT =
      optional("at", Schema.string("A commitId or repoSeq: reads the repository as it was then"));
  private static final List<Argument> OF_HEAD =
      List.of(
          optional("shape", Schema.string("Only entities of this shape")),
          optional(
              "kind", Schema.word("Only this kind", "thing", "assertion", "shape", "collection")),
          SharedSchemas.MATCH,
          SharedSchemas.INACTIVE,
          AT);
  private static final List<Argument> OF_QUERY =
      List.of(
          optional("about", Schema.string("Only assertions about this wref")),
          optional(
              "where",
              Schema.list(
                  "Predicates on fields, all must hold: `field:op:value`, op one of eq ne gt gte"
                      + " lt lte prefix in exists; needs `shape`. E.g. celsius:gte:20",
                  "string")),
          optional(
              "resolveCollections",
              Schema.flag("With `about`: also assertions about collections that contain it")));

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
        reads("thing_head", "List what there is")
            .describedAs(
                """
                The present state of a repository, page by page, in the order of wrefs. Use it to
                look around; thing_query has more filters. Each item has its whole `data`. While `nextCursor` is there, there is more.
                """)
            .takes(OF_HEAD)
            .takes(SharedSchemas.PAGED)
            .gives(Schema.page(SharedSchemas.item()))
            .by(CATEGORY, call -> page(call, "head")),
        reads("thing_get", "Read one entity")
            .describedAs(
                """
                One thing, assertion or shape by its wref, now, at a version, or as of a commit.
                NOT_FOUND says that there is none by this name; try thing_head with `match`.
                """)
            .takes(WREF, optional("version", Schema.ordinal("From 1")), AT)
            .gives(SharedSchemas.entity())
            .by(CATEGORY, this::get),
        reads("thing_query", "Find entities")
            .describedAs(
                """
                Entities that all given filters select, page by page. Filter fields by `shape` and
                `where`, names by `match`, assertions by `about`. Use thing_count first where you
                only want to know how many.
                """)
            .takes(OF_HEAD)
            .takes(OF_QUERY)
            .needing("where", "shape")
            .takes(SharedSchemas.PAGED)
            .gives(Schema.page(SharedSchemas.item()))
            .by(CATEGORY, call -> page(call, "query")),
        reads("thing_count", "Count entities")
            .describedAs("How many entities the filters of thing_query select.")
            .takes(OF_HEAD)
            .takes(OF_QUERY)
            .needing("where", "shape")
            .gives(Schema.object("count:integer"))
            .by(CATEGORY, this::count),
        reads("thing_about", "What is asserted about an entity")
            .describedAs(
                """
                The target and the assertions about it, newest first; with `depth` above 1 each
                carries the assertions about itself as `children`.
                """)
            .takes(
                WREF,
                optional("shape", Schema.string("Only assertions of this shape")),
                SharedSchemas.MATCH,
                optional("depth", Schema.integer("Levels of assertions about assertions", 1, 5)),
                optional(
                    "resolveCollections",
                    Schema.flag("Also assertions about collections that contain the target")))
            .takes(SharedSchemas.PAGED)
            .gives(about())
            .by(CATEGORY, this::about),
        reads("thing_history", "Versions, newest first")
            .describedAs(
                """
                Who changed what, when and why: versions with the commits that made them. Give at
                least one of `wref`, `shape`, `about`.
                """)
            .takes(
                optional("wref", Schema.string("Versions of this entity")),
                optional("shape", Schema.string("Versions of all entities of this shape")),
                optional("about", Schema.string("Versions of all assertions about this wref")))
            .takes(SharedSchemas.PAGED)
            .gives(
                Schema.page(
                    Schema.object(
                        "wref:string",
                        "version:integer",
                        "operation:string",
                        "active:boolean",
                        "data:any",
                        "commitId:string",
                        "author:string",
                        "message?:string",
                        "createdAt:integer")))
            .by(CATEGORY, this::history),
        reads("thing_batch", "Read many entities by name")
            .describedAs(
                """
                Up to 500 entities by their wrefs, in the order asked for; those that there are not
                are listed in `missing`.
                """)
            .takes(
                required("wrefs", Schema.list("1 to 500 wrefs", "string")),
                optional("version", Schema.ordinal("Pins all of them")))
            .gives(
                Schema.with(
                    Schema.object("missing:string[]"),
                    "items",
                    Schema.arrayOf(SharedSchemas.entity())))
            .by(
                CATEGORY,
                call -> things.batch(readAccess.of(call), call.as(ThingReads.Batch.class))),
        reads("thing_refs", "What refers to an entity")
            .describedAs(
                """
                References to an entity (inbound) or from it (outbound): by `about`, by wref fields
                and by membership in collections. Look here before you retract or rename.
                """)
            .takes(
                WREF,
                optional("direction", Schema.word("inbound if left out", "inbound", "outbound")))
            .takes(SharedSchemas.PAGED)
            .gives(
                Schema.page(
                    Schema.object(
                        "wref:string",
                        "kind?:string",
                        "relation:string",
                        "pointer?:string",
                        "pinnedVersion:integer")))
            .by(CATEGORY, this::refs),
        reads("wref_resolve", "Where a wref leads")
            .describedAs(
                "Whether a wref exists: its version, kind and active state, without its data.")
            .takes(WREF)
            .gives(
                Schema.object(
                    "wref:string",
                    "version:integer",
                    "kind:string",
                    "active:boolean",
                    "canonicalWref:string"))
            .by(
                CATEGORY,
                call -> {
                  var access = readAccess.of(call);
                  return things.resolve(access, EntityFilter.named(call.required("wref")));
                }));
  }

  private static Tool.Builder reads(String name, String title) {
    return Tool.named(name, title).inRepository().open();
  }

  private static ObjectNode about() {
    var about = Schema.object("target:object", "nextCursor?:string");
    return Schema.with(
        about,
        "assertions",
        Schema.arrayOf(
            Schema.with(SharedSchemas.item(), "children?", Schema.arrayOf(Schema.object()))));
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
