import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/**
 * A minimal server on Vert.x and virtual threads, like the service: it runs a statement over JDBC
 * and writes the columns one after the other, answers 304, or takes a call and answers ok.
 */
final class BareServer implements AutoCloseable {
  private static final int PORT = Integer.getInteger("port", 8640) + 9;
  private static final int EVENT_LOOPS = 2 * Runtime.getRuntime().availableProcessors();

  private static final Map<String, String> READS =
      Map.of(
          "/thing",
          """
          select version, data, active, shape_version, data_hash, created_at, updated_at, author
          from entity where repo_id = ? and shape_name = 'S' and name = ?
          """,
          "/page",
          """
          select name, version, data, kind from entity
          where repo_id = ? and shape_name = 'S' and name >= substr(?, 1, 0) order by name limit 50
          """,
          "/history",
          """
          select v.version, v.data, v.operation, c.commit_id, c.author, c.created_at
          from entity e
          join entity_version v on v.repo_id = e.repo_id and v.entity_id = e.id
          join commit_log c on c.repo_id = v.repo_id and c.seq = v.valid_from
          where e.repo_id = ? and e.shape_name = 'S' and e.name = ?
          """);

  /** Calls it. */
  final Client client = new Client();

  /** Gets the body of each call to {@code /sink}. */
  volatile Consumer<String> sink = _ -> {};

  private final Vertx vertx = Vertx.vertx();
  private final Executor threads = Executors.newVirtualThreadPerTaskExecutor();
  private final BlockingQueue<Connection> pool;
  private final UUID repository;

  private BareServer(BlockingQueue<Connection> pool, UUID repository) {
    this.pool = pool;
    this.repository = repository;
  }

  /** Starts it for reads of a repository. */
  static BareServer start(Database database, int connections, UUID repository) throws Exception {
    var pool = new ArrayBlockingQueue<Connection>(connections);
    for (int i = 0; i < connections; i++) {
      pool.add(database.connect());
    }
    var server = new BareServer(pool, repository);
    server
        .vertx
        .deployVerticle(server::loop, new DeploymentOptions().setInstances(EVENT_LOOPS))
        .toCompletionStage()
        .toCompletableFuture()
        .get();
    return server;
  }

  private AbstractVerticle loop() {
    return new AbstractVerticle() {
      @Override
      public void start() {
        vertx.createHttpServer().requestHandler(BareServer.this::answer).listen(PORT, "127.0.0.1");
      }
    };
  }

  /** The address of a path. */
  String url(String path) {
    return "http://127.0.0.1:" + PORT + path;
  }

  private void answer(HttpServerRequest request) {
    switch (request.path()) {
      case "/unchanged" -> request.response().setStatusCode(304).end();
      case "/sink" ->
          request
              .body()
              .onSuccess(
                  body -> {
                    sink.accept(body.toString());
                    request.response().end("ok");
                  });
      default -> threads.execute(() -> read(request));
    }
  }

  private void read(HttpServerRequest request) {
    try {
      request.response().end(rows(READS.get(request.path()), request.query()));
    } catch (SQLException | InterruptedException e) {
      request.response().setStatusCode(500).end(e.toString());
    }
  }

  /** The columns of the rows, one after the other, in the order of the result. */
  private Buffer rows(String sql, String name) throws SQLException, InterruptedException {
    var connection = pool.take();
    try (var statement = connection.prepareStatement(sql)) {
      statement.setObject(1, repository);
      statement.setString(2, name);
      var body = Buffer.buffer();
      try (var rows = statement.executeQuery()) {
        int columns = rows.getMetaData().getColumnCount();
        while (rows.next()) {
          for (int i = 1; i <= columns; i++) {
            body.appendBytes(rows.getBytes(i));
          }
        }
      }
      return body;
    } finally {
      pool.add(connection);
    }
  }

  @Override
  public void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get();
  }
}
