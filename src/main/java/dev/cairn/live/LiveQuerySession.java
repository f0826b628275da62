package dev.cairn.live;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.DatabaseException;
import dev.cairn.platform.http.Failure;
import dev.cairn.platform.memory.ArrivingMessages;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * One client of live queries, on a thread of its own: takes its messages, finds out which queries
 * new commits concern, and runs those that are due.
 */
final class LiveQuerySession implements SocketFrames.Receiver {
  /** A client that is further behind has all of its queries run again. */
  private static final long MAX_JUDGED = 1_000;

  private static final Duration MAX_HANDSHAKE = Duration.ofSeconds(10);
  private static final Duration CHECK_WAIT = Duration.ofSeconds(1);

  private final LiveQueries service;
  private final LiveMetrics metrics;
  private final RepositoryAccess access;
  private final Watch watch;
  private final Lifetime lifetime;
  private final Runnable hangUp;
  private final SocketFrames frames;
  private final Queue<Waiting> messages = new ConcurrentLinkedQueue<>();
  private final Map<String, LiveQuery> queries = new LinkedHashMap<>();
  private final long openedAt = System.nanoTime();

  /** Up to this commit it is known which queries are to be run again. */
  private long position;

  private volatile boolean isOpen;
  private volatile boolean isGone;

  /** A message that waits to be processed. */
  private record Waiting(String text, Runnable processed) {}

  /**
   * @param watch is closed at the end of {@link #run}
   * @param room counts the messages of the client
   */
  LiveQuerySession(
      LiveQueries service,
      RepositoryAccess access,
      Watch watch,
      Lifetime lifetime,
      Runnable hangUp,
      boolean isCompressing,
      ArrivingMessages room) {
    this.service = service;
    this.metrics = service.metrics();
    this.access = access;
    this.watch = watch;
    this.lifetime = lifetime;
    this.hangUp = hangUp;
    this.frames = new SocketFrames(isCompressing, room, this);
    this.position = access.seq();
  }

  /** The frames of its connection. */
  SocketFrames frames() {
    return frames;
  }

  /** The connection has become a WebSocket. */
  void opened() {
    isOpen = true;
    watch.wake();
  }

  /** The connection is closed. */
  void gone() {
    isGone = true;
    watch.wake();
  }

  @Override
  public void received(String text, Runnable processed) {
    messages.add(new Waiting(text, processed));
    if (isGone) {
      drop();
    }
    watch.wake();
  }

  @Override
  public void ended(Ending reason) {
    if (!isGone) {
      metrics.ended(reason);
    }
    gone();
    if (reason == Ending.SILENT) {
      hangUp.run();
    }
  }

  /** Serves the client until it goes, or live updates to it are to end. */
  void run() {
    try (watch) {
      while (!isOpen && !isGone && System.nanoTime() - openedAt < MAX_HANDSHAKE.toNanos()) {
        watch.await(MAX_HANDSHAKE);
      }
      if (isOpen) {
        serve();
      } else {
        hangUp.run();
      }
    } catch (InterruptedException _) {
      hangUp.run();
      Thread.currentThread().interrupt();
    } finally {
      metrics.queries(-queries.size());
      gone();
      drop();
    }
  }

  private void drop() {
    for (var message = messages.poll(); message != null; message = messages.poll()) {
      message.processed().run();
    }
  }

  private void serve() throws InterruptedException {
    while (!isGone) {
      lifetime.ending().ifPresent(watch::end);
      var ending = watch.ending();
      if (ending.isPresent()) {
        end(ending.get());
        return;
      }
      takeMessages();
      judge();
      runDue();
      watch.await(untilNext());
    }
  }

  private void end(Ending reason) {
    metrics.ended(reason);
    frames.close(status(reason).code(), reason.wire());
  }

  private static WebSocketCloseStatus status(Ending reason) {
    return switch (reason) {
      case ACCESS_ENDED, REFUSED, SILENT -> WebSocketCloseStatus.POLICY_VIOLATION;
      case SHUTDOWN -> WebSocketCloseStatus.ENDPOINT_UNAVAILABLE;
      case MAX_DURATION, IDLE -> WebSocketCloseStatus.NORMAL_CLOSURE;
      case CROWDED -> WebSocketCloseStatus.TRY_AGAIN_LATER;
    };
  }

  private Duration untilNext() {
    var next = lifetime.left();
    for (var query : queries.values()) {
      var left = query.untilRun().orElse(next);
      next = left.compareTo(next) < 0 ? left : next;
    }
    return next;
  }

  private void takeMessages() throws InterruptedException {
    while (!isGone) { // asked first: what is polled is not dropped
      var next = messages.poll();
      if (next == null) {
        return;
      }
      try {
        take(next.text());
      } finally {
        next.processed().run();
      }
    }
  }

  private void take(String text) throws InterruptedException {
    String id = null;
    try {
      var json = ClientMessage.parse(text);
      id = ClientMessage.id(json);
      take(ClientMessage.of(json));
    } catch (Problem e) {
      tell(ErrorMessage.of(id, new Failure(e, null), false));
    }
  }

  private void take(ClientMessage message) {
    if (message.type().equals(ClientMessage.UNSUBSCRIBE)) {
      var removed = queries.remove(message.id());
      if (removed == null) {
        throw Problem.notFound("There is no query with this id.").at("/id");
      }
      dropped(removed);
      return;
    }
    if (queries.containsKey(message.id())) {
      throw Problem.of(ErrorCode.ALREADY_EXISTS, "There is a query with this id.").at("/id");
    }
    if (queries.size() >= service.maxQueries()) {
      throw Problem.of(
              ErrorCode.RATE_LIMITED,
              "At most %d queries may be followed over one WebSocket."
                  .formatted(service.maxQueries()))
          .with("limit", "live-queries");
    }
    var query = LiveQuery.of(message.id(), message.query());
    watch.keep(query.bytes());
    queries.put(query.id(), query);
    metrics.queries(1);
  }

  private void dropped(LiveQuery query) {
    watch.drop(query.bytes());
    metrics.queries(-1);
  }

  /** Finds out which queries the new commits may concern. */
  private void judge() {
    while (position < watch.newest(0) && !isGone) {
      lifetime.committed();
      long newest = watch.newest(0);
      if (queries.isEmpty() || newest - position > MAX_JUDGED || !judgeSome()) {
        position = newest;
        queries.values().forEach(LiveQuery::committed);
      }
    }
  }

  /** False if the commits cannot be judged, so that any of them may concern any query. */
  private boolean judgeSome() {
    try {
      var next = service.changes().after(access.repoId(), position);
      for (var change : next) {
        judge(change);
        position = change.seq();
      }
      return !next.isEmpty();
    } catch (Problem | DatabaseException e) {
      metrics.delayed(e);
      return false;
    }
  }

  private void judge(Change change) {
    var judged = queries.values().stream().filter(query -> query.isJudged(change)).toList();
    if (judged.stream().anyMatch(LiveQuery::hasPatterns)) {
      service.changes().examine(access.caller(), () -> judge(change, judged));
    } else {
      judge(change, judged);
    }
  }

  private static void judge(Change change, List<LiveQuery> judged) {
    var budget = QueryConcern.budget();
    judged.forEach(query -> query.judge(change, budget));
  }

  private void runDue() throws InterruptedException {
    for (var query : List.copyOf(queries.values())) {
      boolean isNow = query.untilRun().filter(left -> !left.isPositive()).isPresent();
      if (isNow && queries.get(query.id()) == query && watch.ending().isEmpty() && !isGone) {
        run(query);
        takeMessages(); // a round of all queries may take long
      }
    }
  }

  private void run(LiveQuery query) throws InterruptedException {
    try {
      var sent = service.runs().run(access, query, result -> tell(query, result));
      if (sent.isPresent()) {
        awaitTaken(sent.get());
      }
    } catch (Problem e) {
      failed(query, e);
    } catch (DatabaseException e) {
      boolean tookTooLong = DatabaseException.isTimeout(e);
      if (tookTooLong && query.tookTooLongAgain()) {
        end(query, Failure.of(e));
      } else {
        delayed(query, e);
      }
    } catch (RuntimeException e) {
      end(query, Failure.of(e));
    }
  }

  private void failed(LiveQuery query, Problem e) throws InterruptedException {
    switch (e.code()) {
      case UNAVAILABLE -> delayed(query, e);
      case UNAUTHENTICATED, FORBIDDEN, NOT_FOUND -> watch.end(Ending.ACCESS_ENDED);
      default -> end(query, new Failure(LiveQuery.inMessage(e), null));
    }
  }

  private void delayed(LiveQuery query, RuntimeException reason) {
    metrics.delayed(reason);
    query.failed();
  }

  /** A query that cannot be run has no more results. */
  private void end(LiveQuery query, Failure failure) throws InterruptedException {
    queries.remove(query.id());
    dropped(query);
    tell(ErrorMessage.of(query.id(), failure, true));
  }

  /** What was sent, if the items have changed and the client may still be told. */
  private Optional<ChannelFuture> tell(LiveQuery query, LiveQuery.Result result) {
    var message = query.message(result);
    metrics.ran(message.isPresent());
    if (message.isEmpty()) {
      query.held(result);
      return Optional.empty();
    }
    try {
      if (service.checks().await(watch, CHECK_WAIT) && watch.ending().isEmpty()) {
        var sent = frames.send(message.get());
        query.held(result).ifPresent(metrics::told);
        return Optional.of(sent);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // so that the session ends
    }
    query.failed();
    return Optional.empty();
  }

  private void tell(byte[] message) throws InterruptedException {
    awaitTaken(frames.send(message));
  }

  /** Waits until the client has taken a message, so that no others pile up. */
  private void awaitTaken(ChannelFuture sent) throws InterruptedException {
    while (!sent.await(CHECK_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
      if (isGone) {
        return;
      }
    }
    if (!sent.isSuccess()) {
      gone();
    }
  }
}
