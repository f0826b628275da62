package dev.cairn.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Follows queries over one WebSocket: {@code docs/live.md}, Live queries. A lost connection is made
 * again, with all queries, each of which then begins with a {@link LiveMessage.Snapshot} again.
 * {@link #next} is for one thread; the other methods are for any.
 */
public final class LiveQueries implements AutoCloseable {
  private final Transport transport;
  private final Supplier<String> ticket;
  private final Reconnects reconnects = new Reconnects();
  private final Map<String, Query> queries = new LinkedHashMap<>();
  private @Nullable LiveSocket socket;
  private boolean closed;

  LiveQueries(Transport transport, Supplier<String> ticket) {
    this.transport = transport;
    this.ticket = ticket;
  }

  /**
   * Follows a query.
   *
   * @param id a name for it of up to 100 characters; a query that has it already is replaced
   * @param query without {@code cursor} and {@code at}
   */
  public synchronized void subscribe(String id, Query query) {
    boolean replaces = queries.put(id, query) != null;
    if (socket != null) {
      if (replaces) {
        socket.send(message("unsubscribe", id).toString());
      }
      socket.send(subscription(id, query));
    }
  }

  /** Does not follow a query any longer. */
  public synchronized void unsubscribe(String id) {
    if (queries.remove(id) != null && socket != null) {
      socket.send(message("unsubscribe", id).toString());
    }
  }

  /**
   * Waits for the next message.
   *
   * @return null after {@link #close}
   * @throws CairnException if access has ended
   * @throws ServerNotReachedException if there is no first connection, or the thread is interrupted
   */
  public @Nullable LiveMessage next() {
    while (true) {
      try {
        var connected = connected();
        if (connected == null) {
          return null;
        }
        var text = connected.next();
        if (text != null) {
          reconnects.succeeded();
          return heard(Json.mapper().readValue(text, LiveMessage.class));
        }
        disconnect();
        if (!isClosed()) {
          reconnects.pause(Duration.ZERO);
        }
      } catch (JsonProcessingException e) {
        throw Problems.unexpected("live query", 200);
      } catch (CairnException | ServerNotReachedException e) {
        disconnect();
        reconnects.pauseAfter(e);
      }
    }
  }

  /** A query that was refused or has ended is not followed after a lost connection either. */
  private synchronized LiveMessage heard(LiveMessage message) {
    if (message instanceof LiveMessage.Failed failed && failed.id() != null) {
      queries.remove(failed.id());
    }
    return message;
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  /** The connection, which is made if there is none; null after {@link #close}. */
  private @Nullable LiveSocket connected() {
    synchronized (this) {
      if (closed || socket != null) {
        return socket;
      }
    }
    var opened = LiveSocket.open(transport, ticket.get());
    synchronized (this) {
      if (closed) {
        opened.close();
        return null;
      }
      socket = opened;
      queries.forEach((id, query) -> opened.send(subscription(id, query)));
      return opened;
    }
  }

  private synchronized void disconnect() {
    if (socket != null) {
      socket.close();
      socket = null;
    }
  }

  /** Ends the connection; a thread that waits for a message gets null. */
  @Override
  public synchronized void close() {
    closed = true;
    disconnect();
  }

  private static ObjectNode message(String type, String id) {
    return Json.mapper().createObjectNode().put("type", type).put("id", id);
  }

  private static String subscription(String id, Query query) {
    var message = message("subscribe", id);
    var parameters = message.putObject("query");
    query.forEach(
        (name, value) -> {
          switch (parameters.get(name)) {
            case null -> parameters.put(name, value);
            case ArrayNode several -> several.add(value);
            case JsonNode one -> parameters.putArray(name).add(one).add(value);
          }
        });
    return message.toString();
  }
}
