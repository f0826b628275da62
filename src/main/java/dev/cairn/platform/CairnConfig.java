package dev.cairn.platform;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithConverter;
import io.smallrye.config.WithDefault;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What an operator sets. {@code docs/configuration.md} is generated from this interface and the two
 * that it refers to, {@link LimitsConfig} and {@link QuotasConfig}, so the comments there are the
 * manual.
 */
@ConfigMapping(prefix = "cairn")
public interface CairnConfig {
  /** The PostgreSQL that holds everything. */
  Database database();

  /** The account made on an empty database. */
  Admin admin();

  /** Accounts that people make themselves. */
  Signup signup();

  /** What is told of accounts. */
  Audit audit();

  /** Limits; `0` switches a rate off. */
  LimitsConfig limits();

  /** How much may be stored; `0` switches a quota off. See `docs/limits.md`, Quotas. */
  QuotasConfig quotas();

  /** Calls from pages of other sites. See `docs/api.md`, Calls from browsers. */
  Cors cors();

  /** Calls to other servers. */
  Egress egress();

  /** The service that computes the vectors of search. See `docs/search.md`, Embedding service. */
  Embedding embedding();

  /** Search. See `docs/search.md`. */
  Search search();

  /** Commands that subscriptions run. See `docs/sprites.md`. */
  Sprite sprite();

  /** Attempts after the first one. */
  Retry retry();

  /** Webhooks. */
  Webhook webhook();

  /** Actions that are reported later. */
  Callback callback();

  /** Runs that have ended. */
  Run run();

  /** The reading of runs. */
  Actions actions();

  /** Live updates. See `docs/live.md`. */
  Live live();

  /** Work on request, for services that do not run all the time. */
  Tick tick();

  /** What one replica carries out at a time. */
  Worker worker();

  /** The end of the service. */
  Stop stop();

  /** What is told of requests and attempts. */
  Traces traces();

  /** What the service says of itself. */
  Log log();

  /**
   * What this replica does, a comma-separated list: `api` answers requests, `worker` carries out
   * runs and schedules by itself. A replica without `worker` carries out what `POST /internal/tick`
   * asks for; one without `api` answers health, metrics and that request alone.
   */
  @WithDefault("api,worker")
  List<Role> roles();

  /**
   * The directory of the embedded PostgreSQL and of the secret key that goes with it. Only used
   * without `cairn.database.url`.
   */
  @WithDefault("./data")
  String dataDir();

  /**
   * Whether to create the demo repository `demo/world` when it is missing. On by itself with the
   * embedded PostgreSQL. It belongs to the administrator that the service created in the empty
   * database; without one it is not created.
   */
  @WithDefault("false")
  boolean demo();

  /**
   * The base of every absolute URL in answers, such as `https://cairn.example.org`; also the issuer
   * of access tokens. Without it, URLs in answers have loopback addresses.
   */
  Optional<URI> publicUrl();

  /**
   * Base64 of the 32 random bytes that seal cursors, and secrets in the database (`openssl rand
   * -base64 32`). Required with an external database; kept in the data directory with the embedded
   * one.
   */
  Optional<String> secretKey();

  /**
   * Base64 of the 32 bytes of another secret key, which opens what it sealed and seals nothing.
   * Only set while `cairn.secret-key` is changed, see `docs/credentials.md`.
   */
  Optional<String> secretKeyPrevious();

  /**
   * How long a key signs access tokens, as an ISO 8601 duration of at least a day. Then a new one
   * takes its place; the old one stays in the key set until its last token has expired.
   */
  @WithDefault("P90D")
  Duration signingKeyLifetime();

  /** Live updates. */
  interface Live {
    /**
     * After how long an event stream or WebSocket is ended in order, as an ISO 8601 duration of up
     * to a day; the client connects again and continues, perhaps on another replica.
     */
    @WithDefault("PT1H")
    Duration maxDuration();

    /**
     * After how long without a commit to its repositories an event stream or WebSocket is ended in
     * order, so that it does not keep a service running that could scale to zero; `PT0S` switches
     * it off.
     */
    @WithDefault("PT0S")
    Duration idleDuration();
  }

  /** The audit log of accounts. */
  interface Audit {
    /**
     * How long events of an account are kept, as an ISO 8601 duration of at least a day. Those of
     * organizations are kept for good.
     */
    @WithDefault("P365D")
    Duration retention();
  }

  /** The database connection. */
  interface Database {
    /**
     * A JDBC URL of PostgreSQL 15 or newer, `jdbc:postgresql://host:5432/cairn`. Without it an
     * embedded PostgreSQL starts.
     */
    Optional<String> url();

    /** The database user. */
    Optional<String> user();

    /** The database user's password. */
    Optional<String> password();

    /** The maximum number of connections that one replica holds. */
    @WithDefault("20")
    int poolSize();

    /**
     * Whether a start migrates the database if it needs it. Off if a job of its own does: see
     * `docs/deploy.md`.
     */
    @WithDefault("true")
    boolean migrate();

    /** Set by the service itself when it started the embedded PostgreSQL; not for operators. */
    @WithDefault("false")
    boolean embedded();
  }

  /** The first account. */
  interface Admin {
    /** The e-mail address of the owner account that is made on an empty database. */
    Optional<String> email();

    /**
     * That account's password, 8 to 128 characters. With the embedded PostgreSQL one is generated
     * and printed once when this is not set.
     */
    Optional<String> password();
  }

  /** Sign-up. */
  interface Signup {
    /** Whether anybody may sign up. On by itself with the embedded PostgreSQL. */
    @WithDefault("false")
    boolean open();
  }

  /** Calls from pages of other sites. */
  interface Cors {
    /**
     * The origins whose pages may call from a browser: a comma-separated list such as
     * `https://app.example.org`, `*` for any origin, `none` for no other one. Without it, pages of
     * any origin may.
     */
    Optional<List<String>> origins();
  }

  /** Calls to other servers. */
  interface Egress {
    /**
     * What may be called although it is not public, by http and on any port too: a comma-separated
     * list of host names, addresses and CIDRs. See `docs/egress.md`.
     */
    Optional<List<String>> allow();
  }

  /** An embedding service. */
  interface Embedding {
    /**
     * The base URL of an OpenAI-compatible API, such as `https://api.openai.com/v1`. Without it,
     * the built-in embedder computes the vectors.
     */
    Optional<URI> url();

    /** The model; required with a URL. */
    Optional<String> model();

    /** The number of dimensions of the model's vectors, 1 to 4096; required with a URL. */
    OptionalInt dimensions();

    /** Whether to ask for that number of dimensions, for models that can shorten their vectors. */
    @WithDefault("false")
    boolean requestDimensions();

    /** The bearer key of the service, if it needs one. */
    Optional<String> key();

    /** Maximum texts of a call, 1 to 256. */
    @WithDefault("32")
    int batch();

    /** The time limit of a call for the index, as an ISO 8601 duration of 1 second to 5 minutes. */
    @WithDefault("PT30S")
    Duration timeout();
  }

  /** Search. */
  interface Search {
    /**
     * How many entities a repository must have to get an index on its vectors, where PostgreSQL has
     * the extension pgvector, of version 0.8 or newer; `0` switches that off.
     */
    @WithDefault("50000")
    int vectorIndexFrom();
  }

  /** A part of the work that a replica may do. */
  enum Role {
    API,
    WORKER
  }

  /** Attempts after the first one. */
  interface Retry {
    /**
     * How long to wait before each attempt, a comma-separated list of ISO 8601 durations: the first
     * before the first attempt, the last before every further one. Up to a fifth is added at
     * random.
     */
    @WithDefault("PT0S,PT5S,PT1M,PT5M,PT30M,PT2H,PT5H")
    List<Duration> delays();

    /** How many attempts a run has before it is given up, 1 to 100. */
    @WithDefault("7")
    int maxAttempts();
  }

  /** Webhooks. */
  interface Webhook {
    /** How long the whole exchange with a receiver may take, as an ISO 8601 duration. */
    @WithDefault("PT15S")
    Duration timeout();
  }

  /** Actions that are reported later. */
  interface Callback {
    /**
     * How long a receiver that answered 202 has until its callback, as an ISO 8601 duration; then
     * the attempt has failed.
     */
    @WithDefault("PT1H")
    Duration deadline();
  }

  /** Runs that have ended. */
  interface Run {
    /** How long an ended run and its attempts are kept, as an ISO 8601 duration. */
    @WithDefault("P90D")
    Duration retention();
  }

  /** The reading of runs. */
  interface Actions {
    /**
     * Whether runs, attempts and notifications can be read by every caller that can read the
     * repository; otherwise they take `repo:configure`.
     */
    @WithDefault("true")
    boolean publicReads();
  }

  /** Work on request. */
  interface Tick {
    /**
     * The bearer token of `POST /internal/tick`, at least 16 characters. Without it that path does
     * not exist.
     */
    Optional<String> token();
  }

  /** What one replica carries out at a time. */
  interface Worker {
    /**
     * Webhooks that are called at a time; all organizations that one account created have at most
     * three quarters of them, one repository at most a quarter, one host of a repository at most an
     * eighth, and another eighth for targets in doubt.
     */
    @WithDefault("128")
    int webhooks();

    /**
     * Sprites that run at a time; all organizations that one account created have at most three
     * quarters of them, one repository at most a quarter, one container at most a sixteenth, but at
     * least one each.
     */
    @WithDefault("8")
    int sprites();
  }

  /** The end of the service. */
  interface Stop {
    /**
     * How long requests are served as before after SIGTERM, with readiness red, for proxies that
     * learn of the end by asking.
     */
    @WithDefault("PT0S")
    Duration delay();

    /**
     * How long requests in progress may take after SIGTERM and the delay (graceful shutdown);
     * attempts at runs have two thirds of it.
     */
    @WithDefault("PT30S")
    Duration timeout();
  }

  /** What is told of requests and attempts. */
  interface Traces {
    /**
     * Where traces are sent, as the base of the URLs of an OpenTelemetry receiver (OTLP by HTTP),
     * such as `http://collector:4318`. Without it there are none. See `docs/monitoring.md`.
     */
    @WithConverter(TracesEndpoint.class)
    Optional<URI> endpoint();
  }

  /** The log. */
  interface Log {
    /**
     * Whether each line of the log is a JSON object, for programs that collect them. See
     * `docs/monitoring.md`.
     */
    @WithDefault("false")
    boolean json();
  }

  /** Sprites. */
  interface Sprite {
    /**
     * Where commands run: `http`, `kubernetes`, `local`, or `none`. Without it runs of sprites end
     * with `SPRITE_AUTH_MISSING`. By itself `local` with the embedded PostgreSQL and the demo
     * repository, there for the organization `demo` alone.
     */
    Optional<String> backend();

    /**
     * The organizations whose sprites are run: a comma-separated list of ids, or of names, each of
     * which stands for the first organization that had it. `demo` is the one that the service
     * created. If it is not set, all organizations; required for `local` with open sign-up or an
     * external issuer. See `docs/sprites.md`.
     */
    Optional<List<String>> organizations();

    /** The service that runs commands, for the backend `http`. */
    Optional<URI> url();

    /** The bearer key of that service. Without it runs end with `SPRITE_AUTH_MISSING`. */
    Optional<String> key();

    /** How long a run may take in all, as an ISO 8601 duration of 1 second to 6 hours. */
    @WithDefault("PT10M")
    Duration timeout();

    /** What `gitRepo` is appended to for the URL of a checkout. */
    @WithDefault("https://github.com")
    URI gitBase();

    /** The cluster, for the backend `kubernetes`. */
    Kubernetes kubernetes();

    /** The limits of commands, for the backend `local`. */
    Local local();
  }

  /**
   * The limits of commands that run beside the service; where the machine has lower ones, these.
   */
  interface Local {
    /** The memory that each process may have for its data, in MiB. */
    @WithDefault("1024")
    int memoryMib();

    /** The processor time that each process may take, in seconds. */
    @WithDefault("600")
    int cpuSeconds();

    /** The length that a file or an output may get, in MiB. */
    @WithDefault("1024")
    int fileMib();

    /** The files that each process may have open. */
    @WithDefault("1024")
    int openFiles();

    /**
     * The processes and threads that a command may have at a time. Only where the service is root,
     * so that the command is a user of its own.
     */
    @WithDefault("256")
    int processes();
  }

  /** The cluster. */
  interface Kubernetes {
    /** The image in which commands run: with `/bin/sh`, and with `git` for checkouts. */
    Optional<String> image();

    /** The namespace of the jobs. That of the service itself unless it is set. */
    Optional<String> namespace();

    /** The maximum number of processors that a job gets, as Kubernetes writes them. */
    @WithDefault("1")
    String cpu();

    /** The maximum memory that a job gets, as Kubernetes writes it. */
    @WithDefault("512Mi")
    String memory();

    /** The maximum disk that a job gets, as Kubernetes writes it. */
    @WithDefault("1Gi")
    String storage();

    /** The API server. That of the cluster in which the service runs, unless it is set. */
    Optional<URI> apiUrl();

    /** The directory with `token`, `ca.crt` and `namespace` of a service account. */
    @WithDefault("/var/run/secrets/kubernetes.io/serviceaccount")
    String serviceAccount();
  }
}
