import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Vert.x's HTTP client with blocking calls: it uses less processor time than the JDK's, which also
 * sometimes breaks a reused connection under such a load.
 */
final class Client {
  private static final int SECONDS = 600;

  private final HttpClient http =
      Vertx.vertx()
          .createHttpClient(
              new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(2 * Load.CLIENTS));

  /** An answer, whatever its status. */
  record Answer(int status, MultiMap headers, String body) {}

  /**
   * Sends a request.
   *
   * @param body null for no body
   */
  Answer send(HttpMethod method, String url, Map<String, String> headers, String body)
      throws Exception {
    var options = new RequestOptions().setMethod(method).setAbsoluteURI(url);
    headers.forEach(options::putHeader);
    return http.request(options)
        .compose(request -> body == null ? request.send() : request.send(Buffer.buffer(body)))
        .compose(
            answer ->
                answer
                    .body()
                    .map(all -> new Answer(answer.statusCode(), answer.headers(), all.toString())))
        .toCompletionStage()
        .toCompletableFuture()
        .get(SECONDS, TimeUnit.SECONDS);
  }

  /** An answer below 400; others are errors. */
  Answer expect(HttpMethod method, String url, Map<String, String> headers, String body)
      throws Exception {
    var answer = send(method, url, headers, body);
    if (answer.status() >= 400) {
      throw new IOException(answer.status() + " " + answer.body());
    }
    return answer;
  }
}
