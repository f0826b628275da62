package dev.cairn.client;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** What the service says about a live query: {@code docs/live.md}, Live queries. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = LiveMessage.Snapshot.class, name = "snapshot"),
  @JsonSubTypes.Type(value = LiveMessage.Update.class, name = "update"),
  @JsonSubTypes.Type(value = LiveMessage.Failed.class, name = "error")
})
public sealed interface LiveMessage {
  /** The client's name for the query; null for an error that concerns none. */
  @Nullable
  String id();

  /** The whole result, which takes the place of the last one. */
  sealed interface Result extends LiveMessage {
    /** The entities, as {@link RepositoryClient#queryPage} has them. */
    List<Item> items();

    /** The commit that the result shows. */
    long repoSeq();

    /** Why it is empty; null if there is nothing to say. */
    @Nullable
    List<String> warnings();

    /** The cursor for the rest of the entities; null if these are all. */
    @Nullable
    String nextCursor();
  }

  /** The first result of a connection. */
  record Snapshot(
      String id,
      List<Item> items,
      long repoSeq,
      @Nullable List<String> warnings,
      @Nullable String nextCursor)
      implements Result {}

  /** A new result after commits. */
  record Update(
      String id,
      List<Item> items,
      long repoSeq,
      @Nullable List<String> warnings,
      @Nullable String nextCursor)
      implements Result {}

  /**
   * A message of the client was wrong, or a query could not be run.
   *
   * @param ended true if the query has no more results; null otherwise
   */
  record Failed(
      @Nullable String id,
      @Nullable Boolean ended,
      String title,
      int status,
      String detail,
      String code,
      @Nullable List<Violation> errors,
      @Nullable JsonNode details,
      @Nullable String hint)
      implements LiveMessage {
    /** The same as an exception. */
    public CairnException exception() {
      return new CairnException(
          "live query",
          new Problem(
              "urn:cairn:error:" + code, title, status, detail, code, errors, details, hint, null),
          null);
    }
  }
}
