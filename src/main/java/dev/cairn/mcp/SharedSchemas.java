package dev.cairn.mcp;

import static dev.cairn.mcp.Tool.optional;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.mcp.Tool.Argument;
import java.util.List;

/** Arguments and results that several tools have. */
final class SharedSchemas {
  private static final int MAX_RUNS = 200;
  private static final int MAX_ITEMS = 500;

  static final Argument CURSOR =
      optional("cursor", Schema.string("Of the page before, with the same arguments"));

  /** What every list of content takes. */
  static final List<Argument> PAGED = paged(MAX_ITEMS);

  /** What every list of runs takes. */
  static final List<Argument> RUNS_PAGED = paged(MAX_RUNS);

  static final Argument INACTIVE = optional("includeInactive", Schema.flag("Retracted ones too"));

  static final Argument MATCH =
      optional(
          "match",
          Schema.string(
              "Glob over wrefs: * in a segment, ** segments, ?, {a,b}; Sensor/room-1/**"));

  static final Argument MESSAGE = optional("message", Schema.string("Why, for the log of commits"));

  static final Argument IDEMPOTENCY_KEY =
      optional(
          "idempotencyKey",
          Schema.string("Within 24 h the same key and arguments get the first answer"));

  private SharedSchemas() {}

  private static List<Argument> paged(int most) {
    return List.of(optional("limit", Schema.integer("50 if left out", 1, most)), CURSOR);
  }

  /** An entity in a list. */
  static ObjectNode item() {
    return Schema.object(
        "wref:string", "kind:string", "version:integer", "data:any", "aboutWref?:string");
  }

  /** An entity with all that is known of it. */
  static ObjectNode entity() {
    return Schema.object(
        "wref:string",
        "kind:string",
        "version:integer",
        "active:boolean",
        "data:any",
        "aboutWref?:string",
        "author:string",
        "updatedAt:integer");
  }

  /** The answer to a commit. */
  static ObjectNode commit() {
    return Schema.with(
        Schema.object(
            "commitId?:string", "repoSeq?:integer", "operationCount:integer", "partial?:boolean"),
        "operations",
        Schema.arrayOf(
            Schema.object("opIndex:integer", "status:string", "wref?:string", "version?:integer")));
  }

  /** The answer of a tool that returns nothing else. */
  static ObjectNode done() {
    return Schema.object("ok:boolean");
  }
}
