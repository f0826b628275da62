package dev.cairn.client;

import com.fasterxml.jackson.core.type.TypeReference;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;

/** Sends requests, with credentials and retries, and reads the answers. */
final class Transport {
  /** More than any answer has that is read as a whole; those of the service have up to 16 MiB. */
  private static final int MAX_ANSWER_BYTES = 64 * 1024 * 1024;

  private static final int MAX_PROBLEM_BYTES = 1024 * 1024;

  /** Makes a value of the JSON of an answer. */
  @FunctionalInterface
  private interface Reading<T> {
    T of(byte[] json) throws IOException;
  }

  /** A whole answer. */
  record Answer(int status, HttpHeaders headers, byte[] body) {}

  private final HttpClient http;
  private final String server;
  private final Authorization authorization;
  private final RetrySchedule retries;
  private final Duration timeout;
  private final Consumer<Exchange> listener;

  Transport(
      HttpClient http,
      String server,
      Authorization authorization,
      RetrySchedule retries,
      Duration timeout,
      Consumer<Exchange> listener) {
    this.http = http;
    this.server = server;
    this.authorization = authorization;
    this.retries = retries;
    this.timeout = timeout;
    this.listener = listener;
  }

  /** The server's URL, without a slash at its end. */
  String server() {
    return server;
  }

  HttpClient http() {
    return http;
  }

  RetrySchedule retries() {
    return retries;
  }

  /** The answer as a value of a class. */
  <T> T json(Call call, Class<T> type) {
    return parse(call, whole(call), body -> Json.mapper().readValue(body, type));
  }

  /** The answer as a value of a generic type. */
  <T> T json(Call call, TypeReference<T> type) {
    return parse(call, whole(call), body -> Json.mapper().readValue(body, type));
  }

  /** An answer that is a plain array, as a page. */
  <T> Page<T> page(Call call, Class<T> item) {
    var answer = whole(call);
    var type = Json.mapper().getTypeFactory().constructCollectionType(List.class, item);
    List<T> items = parse(call, answer, body -> Json.mapper().readValue(body, type));
    return new LinkedPage<>(items, LinkedPage.nextCursor(answer.headers()));
  }

  /** The answer as text. */
  String text(Call call) {
    return new String(whole(call).body(), StandardCharsets.UTF_8);
  }

  /** The answer is of no interest. */
  void run(Call call) {
    whole(call);
  }

  /** The headers of a success. */
  HttpHeaders headers(Call call) {
    return send(call, BodyHandlers.discarding()).headers();
  }

  /** The whole answer, which is a success, decompressed. */
  Answer whole(Call call) {
    call.header("Accept-Encoding", "gzip");
    var response = send(call, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_ANSWER_BYTES));
    try (var body = body(response)) {
      byte[] bytes = body.readNBytes(MAX_ANSWER_BYTES + 1);
      if (bytes.length > MAX_ANSWER_BYTES) {
        throw new IOException("it has more than " + MAX_ANSWER_BYTES + " bytes");
      }
      return new Answer(response.statusCode(), response.headers(), bytes);
    } catch (IOException e) {
      throw notReached(e);
    }
  }

  /**
   * The answer, which is a success, as a stream that the caller must close. The time limit ends
   * with its headers: {@link #watched} has one for its body.
   */
  HttpResponse<InputStream> open(Call call) {
    return send(call, BodyHandlers.ofInputStream());
  }

  /** The body of an answer, which breaks off if nothing comes for as long as an answer may take. */
  InputStream watched(InputStream body) {
    return new TimeoutInputStream(body, timeout);
  }

  /**
   * Sends a body while its answer, which is a success, is read. It is only repeated with a new
   * token if the first one is refused, and if the body can be written again.
   */
  DuplexExchange duplex(Call call, StreamBody body) {
    try {
      var token = call.isAuthenticated() ? authorization.token(this) : null;
      var exchange = begin(call, token, body);
      if (exchange.status() == 401 && token != null && body.isRepeatable()) {
        var renewed = renewed(token, exchange);
        if (renewed != null) {
          exchange.close();
          exchange = begin(call, renewed, body);
        }
      }
      return success(call, exchange);
    } catch (IOException e) {
      throw notReached(e);
    }
  }

  private @Nullable String renewed(String refused, DuplexExchange exchange) {
    try {
      return authorization.renew(refused, this);
    } catch (RuntimeException e) {
      exchange.close();
      throw e;
    }
  }

  private DuplexExchange begin(Call call, @Nullable String token, StreamBody body)
      throws IOException {
    var request = call.to(server);
    if (token != null) {
      request.setHeader("Authorization", Authorization.header(token));
    }
    long start = System.nanoTime();
    Integer status = null;
    try {
      var exchange = DuplexExchange.post(http, request.build(), call.timeout(), body);
      status = exchange.status();
      return exchange;
    } finally {
      var elapsed = Duration.ofNanos(System.nanoTime() - start);
      listener.accept(new Exchange(call.toString(), 1, status, elapsed));
    }
  }

  private static DuplexExchange success(Call call, DuplexExchange exchange) throws IOException {
    if (exchange.status() < 300) {
      return exchange;
    }
    try (exchange) {
      throw Problems.read(
          call.toString(),
          exchange.status(),
          exchange.headers(),
          exchange.content().readNBytes(MAX_PROBLEM_BYTES));
    }
  }

  private <T> HttpResponse<T> send(Call call, BodyHandler<T> handler) {
    for (int attempt = 1; ; attempt++) {
      Optional<Duration> delay;
      try {
        var response = authorized(call, handler, attempt);
        if (response.statusCode() < 300) {
          return response;
        }
        var problem = problem(call, response);
        delay = delayAfter(problem, call, attempt);
        if (delay.isEmpty()) {
          throw problem;
        }
      } catch (IOException e) {
        delay = isSafe(call, e) ? retries.delayAfter(attempt) : Optional.empty();
        if (delay.isEmpty()) {
          throw notReached(e);
        }
      }
      pause(delay.orElseThrow());
    }
  }

  /** Sends it with a token, and once more with a new one if the first one is refused. */
  private <T> HttpResponse<T> authorized(Call call, BodyHandler<T> handler, int attempt)
      throws IOException {
    var token = call.isAuthenticated() ? authorization.token(this) : null;
    var response = exchange(call, token, handler, attempt);
    if (response.statusCode() != 401 || token == null) {
      return response;
    }
    var renewed = authorization.renew(token, this);
    if (renewed == null) {
      return response;
    }
    discard(response);
    return exchange(call, renewed, handler, attempt);
  }

  private <T> HttpResponse<T> exchange(
      Call call, @Nullable String token, BodyHandler<T> handler, int attempt) throws IOException {
    var longest = call.timeout() == null ? timeout : call.timeout();
    var request = call.to(server).timeout(longest);
    if (token != null) {
      request.setHeader("Authorization", Authorization.header(token));
    }
    long start = System.nanoTime();
    Integer status = null;
    var sent = http.sendAsync(request.build(), handler);
    try {
      var response = sent.get(longest.toMillis(), TimeUnit.MILLISECONDS);
      status = response.statusCode();
      return response;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    } catch (TimeoutException e) {
      sent.cancel(true);
      throw new IOException("it took more than " + longest.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      sent.cancel(true);
      throw interrupted(e);
    } finally {
      var elapsed = Duration.ofNanos(System.nanoTime() - start);
      listener.accept(new Exchange(call.toString(), attempt, status, elapsed));
    }
  }

  private Optional<Duration> delayAfter(CairnException problem, Call call, int attempt) {
    if (!call.isRepeatable()) {
      return Optional.empty();
    }
    return switch (problem.status()) {
      // Without Retry-After, waiting does not help: a quota is full.
      case 429 -> problem.retryAfter().flatMap(wait -> retries.delayAfter(attempt, wait));
      case 503 -> retries.delayAfter(attempt, problem.retryAfter().orElse(Duration.ZERO));
      // An attempt whose answer was lost is still being carried out.
      case 409 ->
          problem.reason().filter("idempotency_key_in_use"::equals).isPresent()
              ? retries.delayAfter(attempt)
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  /** What was never sent can be repeated; what was, only if it does no harm. */
  private static boolean isSafe(Call call, IOException failure) {
    return call.isRepeatable()
        || failure instanceof ConnectException
        || failure instanceof HttpConnectTimeoutException;
  }

  private static CairnException problem(Call call, HttpResponse<?> response) throws IOException {
    try (var body = body(response)) {
      return Problems.read(
          call.toString(),
          response.statusCode(),
          response.headers(),
          body.readNBytes(MAX_PROBLEM_BYTES));
    }
  }

  private static void discard(HttpResponse<?> response) throws IOException {
    body(response).close();
  }

  private static InputStream body(HttpResponse<?> response) throws IOException {
    var raw =
        switch (response.body()) {
          case byte[] bytes -> new ByteArrayInputStream(bytes);
          case InputStream stream -> stream;
          case null, default -> InputStream.nullInputStream();
        };
    return isCompressed(response) ? new GZIPInputStream(raw) : raw;
  }

  private static boolean isCompressed(HttpResponse<?> response) {
    return response.headers().firstValue("Content-Encoding").filter("gzip"::equals).isPresent();
  }

  private static <T> T parse(Call call, Answer answer, Reading<T> reading) {
    try {
      return reading.of(answer.body());
    } catch (IOException e) {
      // Its message would show parts of the answer, which may be secret.
      throw Problems.unexpected(call.toString(), answer.status());
    }
  }

  /** The exception for an answer that did not come, or broke off. */
  ServerNotReachedException notReached(IOException e) {
    var why =
        e instanceof ConnectException ? "there is no connection" : String.valueOf(e.getMessage());
    return new ServerNotReachedException("No answer from " + server + ": " + why, e);
  }

  /** Waits before the next attempt. */
  static void pause(Duration delay) {
    try {
      Thread.sleep(delay);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** The exception for a thread that was interrupted, which stays interrupted. */
  static ServerNotReachedException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new ServerNotReachedException("The thread was interrupted.", e);
  }
}
