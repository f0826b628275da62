package dev.cairn.client;

import java.net.URI;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One WebSocket connection. The next message is only asked for when the last one was taken. */
final class LiveSocket implements WebSocket.Listener, AutoCloseable {
  private static final int MAX_MESSAGE_CHARS = 16 * 1024 * 1024;
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(30);

  /** Three of the service's pings. */
  private static final Duration SILENCE = Duration.ofSeconds(45);

  private final LinkedBlockingQueue<Optional<String>> messages = new LinkedBlockingQueue<>();
  private final StringBuilder parts = new StringBuilder();
  private volatile long lastHeard = System.nanoTime();
  private volatile WebSocket socket;

  private LiveSocket() {}

  /**
   * Connects.
   *
   * @throws CairnException if the service refuses the ticket, or has no room
   * @throws ServerNotReachedException if there is no connection
   */
  static LiveSocket open(Transport transport, String ticket) {
    var live = new LiveSocket();
    var uri =
        URI.create("ws" + transport.server().substring("http".length()) + "/live?ticket=" + ticket);
    var opening =
        transport
            .http()
            .newWebSocketBuilder()
            .connectTimeout(CONNECT_TIMEOUT)
            .buildAsync(uri, live);
    live.socket = await(opening);
    return live;
  }

  private static <T> T await(CompletableFuture<T> future) {
    try {
      return future.get(CONNECT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof WebSocketHandshakeException refused) {
        throw Problems.unexpected("GET /live", refused.getResponse().statusCode());
      }
      throw new ServerNotReachedException("The WebSocket broke: " + e.getCause().getMessage(), e);
    } catch (TimeoutException e) {
      future.cancel(true);
      throw new ServerNotReachedException("The WebSocket did not answer in time.", e);
    } catch (InterruptedException e) {
      throw Transport.interrupted(e);
    }
  }

  /** Sends a message. */
  void send(String message) {
    await(socket.sendText(message, true));
  }

  /** Waits for a message; null if the connection has ended. */
  @Nullable
  String next() {
    try {
      while (true) {
        long silent = System.nanoTime() - lastHeard;
        if (silent > SILENCE.toNanos()) {
          socket.abort();
          return null;
        }
        var message = messages.poll(SILENCE.toNanos() - silent + 1, TimeUnit.NANOSECONDS);
        if (message != null) {
          socket.request(1);
          return message.orElse(null);
        }
      }
    } catch (InterruptedException e) {
      throw Transport.interrupted(e);
    }
  }

  @Override
  public void onOpen(WebSocket opened) {
    opened.request(1);
  }

  @Override
  public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
    lastHeard = System.nanoTime();
    parts.append(part);
    if (parts.length() > MAX_MESSAGE_CHARS) {
      from.abort();
      messages.add(Optional.empty());
    } else if (last) {
      messages.add(Optional.of(parts.toString()));
      parts.setLength(0);
    } else {
      from.request(1);
    }
    return null;
  }

  @Override
  public @Nullable CompletionStage<?> onPing(WebSocket from, ByteBuffer message) {
    lastHeard = System.nanoTime();
    from.request(1);
    return null;
  }

  @Override
  public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
    messages.add(Optional.empty());
    return null;
  }

  @Override
  public void onError(WebSocket from, Throwable failure) {
    messages.add(Optional.empty());
  }

  /** Closes the connection without waiting for the service. */
  @Override
  public void close() {
    socket.abort();
    messages.add(Optional.empty());
  }
}
