package dev.cairn.live;

import static dev.cairn.access.Permission.REPO_READ;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.cairn.access.Authorizer;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.CallerLimiter;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.DatabaseException;
import dev.cairn.platform.database.DatabaseException.Kind;
import dev.cairn.platform.http.Failure;
import dev.cairn.platform.memory.HeapShare;
import dev.cairn.platform.memory.PageBytes;
import dev.cairn.query.EntityReads;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tells clients the results of queries whenever commits change them; see {@code docs/live.md}, Live
 * queries.
 */
@Singleton
class LiveQueries {
  /** The maximum size of the items of a message, in bytes, unless it has a single one. */
  static final int MAX_ITEMS_BYTES = 1024 * 1024;

  /** How many characters of a client's messages may wait, in two of the longest messages. */
  private static final int MAX_UNREAD = 2 * SocketFrames.MAX_MESSAGE;

  /** A client that is further behind has all of its queries run again. */
  private static final long MAX_JUDGED = 1_000;

  private static final Duration PING_INTERVAL = Duration.ofSeconds(15);
  private static final Duration MAX_SILENCE = Duration.ofSeconds(45);
  private static final Duration MAX_HANDSHAKE = Duration.ofSeconds(10);
  private static final Duration CHECK_WAIT = Duration.ofSeconds(1);
  private static final Duration TURN_WAIT = Duration.ofSeconds(5);

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Authorizer authorizer;
  private final EntityReads reads;
  private final Watches watches;
  private final AccessChecks checks;
  private final Changes changes;
  private final LiveMetrics metrics;
  private final int maxQueries;
  private final Duration maxDuration;
  private final Duration idleDuration;

  /**
   * Bounds the results that are in memory at a time: from their query until the connection has
   * them, which counts them from then on.
   */
  private final CallerLimiter turns;

  private final AtomicLong unread = new AtomicLong();
  private final long maxUnread = HeapShare.LIVE_MESSAGES.bytes();

  LiveQueries(
      Authorizer authorizer,
      EntityReads reads,
      Watches watches,
      AccessChecks checks,
      Changes changes,
      LiveMetrics metrics,
      CairnConfig config) {
    this.authorizer = authorizer;
    this.reads = reads;
    this.watches = watches;
    this.checks = checks;
    this.changes = changes;
    this.metrics = metrics;
    this.maxQueries = config.limits().liveQueries();
    this.maxDuration = config.live().maxDuration();
    this.idleDuration = config.live().idleDuration();
    int atOnce = 2 * Math.max(2, Runtime.getRuntime().availableProcessors());
    this.turns = new CallerLimiter(atOnce / 2, Integer.MAX_VALUE, atOnce, atOnce / 4);
  }

  /**
   * Begins to follow a repository for a client; the session is to be run.
   *
   * @param access granted for {@code repo:read}
   * @param isCompressing whether compression is agreed on
   * @param hangUp closes the connection of the client
   * @throws Problem as {@link Watches#open}
   */
  Session open(RepositoryAccess access, boolean isCompressing, Runnable hangUp) {
    return new Session(access, watches.open(List.of(access), hangUp), isCompressing, hangUp);
  }

  /** One client, on a thread of its own. */
  final class Session {
    private final RepositoryAccess access;
    private final UUID repoId;
    private final Watch watch;
    private final Runnable hangUp;
    private final SocketFrames frames;
    private final Queue<String> messages = new ConcurrentLinkedQueue<>();
    private final AtomicInteger unreadOfClient = new AtomicInteger();
    private final Map<String, LiveQuery> queries = new LinkedHashMap<>();
    private final long beganAt = System.nanoTime();
    private long commitAt = beganAt;
    private long pingAt = beganAt;

    /** Up to this commit it is known which queries are to be run again. */
    private long position;

    private volatile boolean isOpen;
    private volatile boolean isGone;

    Session(RepositoryAccess access, Watch watch, boolean isCompressing, Runnable hangUp) {
      this.access = access;
      this.repoId = access.repoId();
      this.watch = watch;
      this.hangUp = hangUp;
      this.frames = new SocketFrames(isCompressing, this::refused);
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

    private void refused() {
      if (!isGone) {
        metrics.ended(Ending.REFUSED);
      }
      gone();
    }

    /** Takes a message of the client, on the event loop. */
    void received(String message) {
      if (isGone) {
        return;
      }
      int length = message.length();
      if (unreadOfClient.get() + length > MAX_UNREAD || unread.get() + length > maxUnread) {
        refused();
        frames.close(WebSocketCloseStatus.POLICY_VIOLATION.code(), "too_many_messages");
        return;
      }
      unreadOfClient.addAndGet(length);
      unread.addAndGet(length);
      messages.add(message);
      if (isGone) {
        drop();
      }
      watch.wake();
    }

    /** Serves the client until it goes, or live updates to it are to end. */
    void run() {
      try (watch) {
        checks.request();
        while (!isOpen && !isGone && isWithin(MAX_HANDSHAKE)) {
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
        unread.addAndGet(-message.length());
      }
    }

    private boolean isWithin(Duration duration) {
      return System.nanoTime() - beganAt < duration.toNanos();
    }

    private void serve() throws InterruptedException {
      while (!isGone) {
        var ending = ending();
        if (ending.isPresent()) {
          end(ending.get());
          return;
        }
        takeMessages();
        judge();
        runDue();
        if (!isHeard()) {
          return;
        }
        watch.await(untilNext());
      }
    }

    private Optional<Ending> ending() {
      if (!isWithin(maxDuration)) {
        watch.end(Ending.MAX_DURATION);
      }
      if (!idleDuration.isZero() && System.nanoTime() - commitAt > idleDuration.toNanos()) {
        watch.end(Ending.IDLE);
      }
      return watch.ending();
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
      };
    }

    /** Asks a client whether it is there; false if it has not answered for long. */
    private boolean isHeard() {
      if (frames.silence() > MAX_SILENCE.toNanos()) {
        metrics.ended(Ending.SILENT);
        hangUp.run();
        return false;
      }
      ping();
      return true;
    }

    private void ping() {
      if (System.nanoTime() - pingAt >= PING_INTERVAL.toNanos()) {
        pingAt = System.nanoTime();
        frames.ping();
      }
    }

    private Duration untilNext() {
      long now = System.nanoTime();
      long left = pingAt + PING_INTERVAL.toNanos() - now;
      left = Math.min(left, beganAt + maxDuration.toNanos() - now);
      if (!idleDuration.isZero()) {
        left = Math.min(left, commitAt + idleDuration.toNanos() - now);
      }
      for (var query : queries.values()) {
        left = Math.min(left, query.untilRun().map(Duration::toNanos).orElse(Long.MAX_VALUE));
      }
      return Duration.ofNanos(Math.max(0, left) + 1);
    }

    private void takeMessages() throws InterruptedException {
      while (!isGone) { // asked first: what is polled is no longer counted by drop()
        var text = messages.poll();
        if (text == null) {
          return;
        }
        unread.addAndGet(-text.length());
        unreadOfClient.addAndGet(-text.length());
        String id = null;
        try {
          var json = ClientMessage.parse(text);
          id = ClientMessage.id(json);
          take(ClientMessage.of(json));
        } catch (Problem e) {
          tell(error(id, new Failure(e, null), false));
        }
      }
    }

    private void take(ClientMessage message) {
      if (message.type().equals(ClientMessage.UNSUBSCRIBE)) {
        if (queries.remove(message.id()) == null) {
          throw Problem.notFound("There is no query with this id.").at("/id");
        }
        metrics.queries(-1);
        return;
      }
      if (queries.containsKey(message.id())) {
        throw Problem.of(ErrorCode.ALREADY_EXISTS, "There is a query with this id.").at("/id");
      }
      if (queries.size() >= maxQueries) {
        throw Problem.of(
                ErrorCode.RATE_LIMITED,
                "At most %d queries may be followed over one WebSocket.".formatted(maxQueries))
            .with("limit", "live-queries");
      }
      queries.put(message.id(), LiveQuery.of(message.id(), message.query()));
      metrics.queries(1);
    }

    /** Finds out which queries the new commits may concern. */
    private void judge() {
      while (position < watch.newest(0) && !isGone) {
        commitAt = System.nanoTime();
        long newest = watch.newest(0);
        if (queries.isEmpty() || newest - position > MAX_JUDGED || !judgeSome()) {
          position = newest;
          queries.values().forEach(LiveQuery::committed);
        }
      }
    }

    /** False if the commits cannot be read, so that any of them may concern any query. */
    private boolean judgeSome() {
      try {
        var next = changes.after(repoId, position);
        for (var change : next) {
          position = change.seq();
          queries.values().forEach(query -> query.committed(change));
        }
        return !next.isEmpty();
      } catch (Problem | DatabaseException e) {
        metrics.delayed(e);
        return false;
      }
    }

    private void runDue() throws InterruptedException {
      for (var query : List.copyOf(queries.values())) {
        boolean isNow = query.untilRun().filter(left -> !left.isPositive()).isPresent();
        if (isNow && queries.get(query.id()) == query && watch.ending().isEmpty() && !isGone) {
          run(query);
          takeMessages();
          ping(); // a round may take longer than a client has to answer
        }
      }
    }

    private void run(LiveQuery query) throws InterruptedException {
      try {
        var sent =
            turns.call(access.caller(), TURN_WAIT, () -> runAndTell(query), LiveQueries::busy);
        if (sent.isPresent()) {
          awaitTaken(sent.get());
        }
      } catch (Problem e) {
        failed(query, e);
      } catch (DatabaseException e) {
        if (!query.isShown()
            && DatabaseException.kind(e).filter(Kind.TOO_LONG::equals).isPresent()) {
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
      metrics.queries(-1);
      tell(error(query.id(), failure, true));
    }

    /** What was sent, if the items have changed. */
    private Optional<ChannelFuture> runAndTell(LiveQuery query) {
      query.begins();
      var result =
          authorizer.call(
              access.caller(), access.org(), access.repo(), REPO_READ, now -> read(query, now));
      var message = query.message(result);
      metrics.ran(message.isPresent());
      if (message.isEmpty()) {
        query.held(result);
        return Optional.empty();
      }
      try {
        if (checks.await(watch, CHECK_WAIT) && watch.ending().isEmpty()) {
          var sent = frames.send(message.get());
          query.held(result).ifPresent(metrics::told);
          return Optional.of(sent);
        }
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt(); // so that the session ends
      }
      query.untold();
      return Optional.empty();
    }

    private LiveQuery.Result read(LiveQuery query, RepositoryAccess now) {
      if (!now.repoId().equals(repoId)) {
        throw Problem.notFound("The repository was renamed.");
      }
      var page =
          PageBytes.within(
              MAX_ITEMS_BYTES,
              () ->
                  reads.page(
                      now,
                      "query",
                      query.filter(),
                      query.fields(),
                      query.limit(),
                      Optional.empty()));
      return LiveQuery.Result.of(page.json(), now.seq());
    }

    private void tell(byte[] message) throws InterruptedException {
      awaitTaken(frames.send(message));
    }

    /** Waits until the client has taken a message, so that no others pile up. */
    private void awaitTaken(ChannelFuture sent) throws InterruptedException {
      long since = System.nanoTime();
      while (!sent.await(PING_INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
        if (isGone) {
          return;
        }
      }
      if (System.nanoTime() - since > CHECK_WAIT.toNanos()) {
        frames.heard(); // it reads slowly, and gets the pings after all the rest
      }
      if (!sent.isSuccess()) {
        gone();
      }
    }
  }

  /**
   * The message of a problem.
   *
   * @param id of the message or query; null for none
   * @param hasEnded whether the query has no more results
   */
  private static byte[] error(String id, Failure failure, boolean hasEnded) {
    try {
      var message = JSON.createObjectNode().put("type", "error");
      if (id != null) {
        message.put("id", id);
      }
      if (hasEnded) {
        message.put("ended", true);
      }
      JSON.readTree(failure.document().toJson()).properties().stream()
          .filter(member -> !member.getKey().equals("type"))
          .forEach(member -> message.set(member.getKey(), member.getValue()));
      return message.toString().getBytes(StandardCharsets.UTF_8);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a problem document is JSON", e);
    }
  }

  private static Problem busy() {
    return Problem.of(ErrorCode.UNAVAILABLE, "Too many queries are run at this moment.");
  }
}
