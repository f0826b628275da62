package dev.cairn.mcp;

import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/** The introduction for agents; {@code docs/mcp.md}, Tools. */
final class Guide {
  /** The instructions that a client may give its model along with the tools. */
  static final String INSTRUCTIONS =
      """
      Cairn keeps structured knowledge in repositories, org/repo: shapes (schemas), things (named \
      entities) and assertions (claims about a thing or about another assertion). All of them have \
      versions and a wref, Shape/name. Call capabilities once for the cookbook, repo_describe to see \
      the content of a repository, and commit_submit to write a batch, all or nothing. An error \
      has the mistakes in `errors` and the remedy in `hint`.""";

  static final String WREFS =
      """
      Shape/name names an entity; the name may have slashes: Sensor/room-1/left. Shape/Sensor is the \
      shape Sensor itself. @v3 after it means a version, @HEAD the current one. \
      cairn:org/repo/Shape/name names an entity in another repository. In data, a field of type wref \
      contains one; it is stored pinned to the version at the time of the write, and is returned as \
      Shape/name@v3. \
      Globs: * within a segment, ** any segments, ?, {a,b}.""";

  static final String OPERATIONS =
      """
      {operation, name, data}: add creates version 1 (ALREADY_EXISTS, or noop with skipExisting); revise \
      replaces the whole data, or with patch (a JSON Merge Patch, in which null removes a field) only \
      some fields (expectedVersion guards against concurrent writes: CONFLICT); retract \
      removes an entity from HEAD and keeps its history; revise with active: true restores it; rename \
      takes newName and keeps every reference. about: "Shape/name" makes an assertion. type and members \
      make a collection, or about: {"set": [..]} makes one inline. $0 is the result of operation 0 of \
      the same commit. A revise to equal data is a noop. All or nothing, unless atomic: false.""";

  /** The steps to reach a goal. */
  @RegisterForReflection
  record Recipe(String goal, List<String> steps) {}

  static final List<Recipe> COOKBOOK =
      List.of(
          new Recipe(
              "Learn what a repository knows",
              List.of(
                  "repo_content_get {document: agents.md}: instructions for agents",
                  "repo_describe: shapes, counts, samples, examples",
                  "thing_search {q}: by words",
                  "thing_query {shape, where, match} and thing_about {wref}, with fields: [room] if"
                      + " you need only these fields of the data")),
          new Recipe(
              "Start a repository",
              List.of(
                  "repo_create {org, name, visibility}",
                  "shape_create {name: Sensor, definition: {fields: {room: string, celsius:"
                      + " number?}}}",
                  "commit_submit {operations: [{operation: add, name: Sensor/s1, data: {room:"
                      + " kitchen}}], message}")),
          new Recipe(
              "Say something about a thing",
              List.of(
                  "shape_create {name: Note, definition: {fields: {text: string}}}",
                  "commit_submit {operations: [{operation: add, name: Note/n1, about: Sensor/s1,"
                      + " data: {text: drifts}}]}",
                  "thing_about {wref: Sensor/s1}")),
          new Recipe(
              "Find what nothing is said about",
              List.of("thing_query {shape: Sensor, missing: about:Note, fields: [room]}")),
          new Recipe(
              "Change without overwriting others",
              List.of(
                  "thing_get {wref}: keep its version",
                  "commit_submit {operations: [{operation: revise, name: Sensor/s1, patch: {room:"
                      + " attic}, expectedVersion}]}",
                  "on CONFLICT: read again, merge and retry")),
          new Recipe(
              "See what changed, and revert",
              List.of(
                  "commit_diff {from: the last repoSeq that you know}: what changed since then",
                  "commit_log, thing_history {wref}: who changed it, when and why",
                  "thing_get {wref, at: commitId or repoSeq}",
                  "commit_submit with a revise to the earlier data")),
          new Recipe(
              "Be notified of writes",
              List.of(
                  "credential_set_put {name, keys: {WEBHOOK_SIGNING_SECRET: whsec_..}}",
                  "subscription_create {name, kind: webhook, shapeName, filterJson: {operation:"
                      + " add}, webhookUrl}, then subscription_bind",
                  "action_runs, action_attempts, action_retry")));

  private Guide() {}
}
