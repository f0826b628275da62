package dev.cairn.access;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;

/** The refusals of writes to what is archived; {@code docs/access.md}. */
public final class Archived {
  private Archived() {}

  /** The refusal of a write to a repository that is archived, or whose organization is. */
  public static Problem repository() {
    return Problem.of(ErrorCode.ARCHIVED, "The repository or its organization is archived.")
        .hint(
            "Unarchive it first: by PATCH with `{\"archived\": false}`, or over MCP by `repo_unarchive` or `org_unarchive`.");
  }

  /** The refusal of a change of an organization that is archived. */
  public static Problem organization() {
    return Problem.of(ErrorCode.ARCHIVED, "The organization is archived.")
        .hint(
            "Unarchive it first: by PATCH with `{\"archived\": false}`, or over MCP by `org_unarchive`.");
  }
}
