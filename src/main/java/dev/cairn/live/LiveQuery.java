package dev.cairn.live;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.model.JsonBytes;
import dev.cairn.model.MatchingBudget;
import dev.cairn.model.Problem;
import dev.cairn.model.Sha256;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.platform.page.JsonOut;
import dev.cairn.platform.page.Page;
import dev.cairn.query.EntityFilter;
import dev.cairn.query.ShownFields;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A query that a client has subscribed to: what it asks for, when it is to be run again, and a hash
 * of the items that the client holds. For one thread.
 */
final class LiveQuery {
  /** The least time between the beginnings of two runs. */
  static final Duration INTERVAL = Duration.ofMillis(100);

  /** How often a query is run whose result depends on other repositories too. */
  static final Duration FOREIGN_INTERVAL = Duration.ofSeconds(5);

  /** A query is ended if so many runs in a row took too long for the database. */
  static final int MAX_TOO_LONG = 5;

  private static final Duration MIN_DELAY = Duration.ofSeconds(1);
  private static final Duration MAX_DELAY = Duration.ofSeconds(30);

  /** The parameters of the pages of HEAD, without those of other pages and of other moments. */
  private static final Set<String> PARAMETERS =
      Stream.concat(
              EntityFilter.PARAMETERS.stream().filter(name -> !name.equals("at")),
              Stream.of(ShownFields.FIELDS, Page.LIMIT))
          .collect(Collectors.toUnmodifiableSet());

  /** What a query takes besides its id, filter and fields. */
  private static final int BASE_BYTES = 500;

  private static final int BEFORE_ITEMS = "{\"items\":".length();

  private final String id;
  private final EntityFilter filter;
  private final ShownFields fields;
  private final int limit;
  private final QueryConcern concern;

  /** Of the items that the client holds; null before the first ones. */
  private byte[] heldHash;

  /** The commit that the last run has seen. */
  private long seq = -1;

  private boolean isDue = true;
  private long beganAt;
  private Duration delay = Duration.ZERO;
  private Duration backoff = MIN_DELAY;
  private int tookTooLong;

  /**
   * When the first commit since the last run was made that may concern it; null if none does. The
   * commit itself would stay in memory for each query.
   */
  private Instant causedAt;

  private LiveQuery(String id, EntityFilter filter, ShownFields fields, int limit) {
    this.id = id;
    this.filter = filter;
    this.fields = fields;
    this.limit = limit;
    this.concern = new QueryConcern(filter);
    this.beganAt = System.nanoTime();
  }

  /**
   * Reads the parameters, which are those of {@code GET …/query}; an array stands for a repeated
   * one.
   *
   * @throws Problem {@code VALIDATION_ERROR} with pointers into the message
   */
  static LiveQuery of(String id, JsonNode query) {
    try {
      for (var parameter : query.properties()) {
        requireText(parameter.getKey(), parameter.getValue());
      }
      QueryParameters.refuseBlanks(query);
      var parameters = QueryParameters.of(query, PARAMETERS, EntityFilter.REPEATABLE);
      return new LiveQuery(
          id, EntityFilter.of(parameters), ShownFields.of(parameters), Page.limit(parameters));
    } catch (Problem e) {
      throw inMessage(e);
    }
  }

  private static void requireText(String name, JsonNode value) {
    boolean isText =
        value.isArray() ? value.valueStream().allMatch(JsonNode::isTextual) : isScalar(value);
    if (!isText) {
      throw Problem.invalid(
          QueryParameters.pointer(name),
          "A parameter must be a text, a number, true or false, or an array of texts.");
    }
  }

  private static boolean isScalar(JsonNode value) {
    return value.isValueNode() && !value.isNull();
  }

  /** The problem of a query, whose pointers name parameters, as that of a message. */
  static Problem inMessage(Problem e) {
    return e.moved("?", "/query/");
  }

  String id() {
    return id;
  }

  EntityFilter filter() {
    return filter;
  }

  ShownFields fields() {
    return fields;
  }

  /** An upper estimate of the bytes of memory that it takes as long as it is followed. */
  long bytes() {
    return BASE_BYTES + 2L * id.length() + filter.bytes() + fields.bytes();
  }

  /** How many items there are at most. */
  int limit() {
    return limit;
  }

  /** Whether a commit is to be judged: it has not seen it, and is not to be run in any case. */
  boolean isJudged(Change change) {
    return !isDue && change.seq() > seq;
  }

  /** Whether patterns are matched to judge a commit. */
  boolean hasPatterns() {
    return concern.hasPatterns();
  }

  /** Has it run again if the commit may concern it. */
  void judge(Change change, MatchingBudget budget) {
    if (concern.of(change, budget)) {
      isDue = true;
      causedAt = change.createdAt();
    }
  }

  /** Has it run again for commits that are not looked at. */
  void committed() {
    isDue = true;
  }

  /** When it is to be run, from now; empty if nothing asks for it. */
  Optional<Duration> untilRun() {
    var since = Duration.ofNanos(System.nanoTime() - beganAt);
    if (isDue) {
      return Optional.of(delay.minus(since));
    }
    return concern.isForeign() ? Optional.of(FOREIGN_INTERVAL.minus(since)) : Optional.empty();
  }

  /** It is run now. */
  void begins() {
    beganAt = System.nanoTime();
    isDue = false;
    delay = INTERVAL;
  }

  /**
   * The run did not come to an end, or could not be told: it is repeated, after longer and longer
   * times.
   */
  void failed() {
    isDue = true;
    beganAt = System.nanoTime();
    delay = backoff;
    backoff =
        backoff.multipliedBy(2).compareTo(MAX_DELAY) < 0 ? backoff.multipliedBy(2) : MAX_DELAY;
  }

  /** A run took too long for the database; true if that happened so often that it is to end. */
  boolean tookTooLongAgain() {
    tookTooLong++;
    return tookTooLong >= MAX_TOO_LONG;
  }

  private boolean isShown() {
    return heldHash != null;
  }

  /**
   * What a run found.
   *
   * @param json a page of {@link dev.cairn.query.EntityReads#page}
   * @param seq the commit that it shows
   */
  record Result(byte[] json, long seq, byte[] hash) {
    static Result of(byte[] json, long seq) {
      int end = JsonBytes.afterValue(json, BEFORE_ITEMS);
      var hash = Sha256.digest();
      hash.update(json, BEFORE_ITEMS, end - BEFORE_ITEMS);
      return new Result(json, seq, hash.digest());
    }
  }

  /** The message that tells a result; empty if the client holds the same items. */
  Optional<byte[]> message(Result result) {
    if (Arrays.equals(heldHash, result.hash())) {
      return Optional.empty();
    }
    var begin =
        new JsonOut()
            .object()
            .name("type")
            .value(isShown() ? "update" : "snapshot")
            .name("id")
            .value(id)
            .toBytes();
    var message = Arrays.copyOf(begin, begin.length + result.json().length);
    System.arraycopy(result.json(), 0, message, begin.length, result.json().length);
    message[begin.length] = ','; // in place of the brace that begins the page
    return Optional.of(message);
  }

  /**
   * The client holds a result.
   *
   * @return when the first commit was made that it had to be told; empty for the first result, and
   *     if the commits were not looked at
   */
  Optional<Instant> held(Result result) {
    var told = Optional.ofNullable(causedAt).filter(_ -> isShown());
    heldHash = result.hash();
    seq = result.seq();
    backoff = MIN_DELAY;
    tookTooLong = 0;
    causedAt = null;
    return told;
  }
}
