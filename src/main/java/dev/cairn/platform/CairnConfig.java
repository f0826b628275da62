package dev.cairn.platform;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What an operator sets. {@code docs/configuration.md} is generated from this interface, so the
 * comments here are the manual.
 */
@ConfigMapping(prefix = "cairn")
public interface CairnConfig {
  /** The PostgreSQL that holds everything. */
  Database database();

  /** The account made on an empty database. */
  Admin admin();

  /** Accounts that people make themselves. */
  Signup signup();

  /** Limits; `0` switches a rate off. */
  Limits limits();

  /** Calls to other servers. */
  Egress egress();

  /**
   * The directory of the embedded PostgreSQL and of the secret key that goes with it. Only used
   * without `cairn.database.url`.
   */
  @WithDefault("./data")
  String dataDir();

  /**
   * Whether to create the demo repository `demo/world` when it is missing. On by itself with the
   * embedded PostgreSQL.
   */
  @WithDefault("false")
  boolean demo();

  /**
   * The base of every absolute URL that is given out, such as `https://cairn.example.org`; also the
   * issuer of access tokens. Without it, each request's own address is used.
   */
  Optional<URI> publicUrl();

  /**
   * Base64 of the 32 random bytes that seal secrets in the database (`openssl rand -base64 32`).
   * Required with an external database; kept in the data directory with the embedded one.
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

    /** The most connections that one replica holds. */
    @WithDefault("20")
    int poolSize();

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

  /** Limits. */
  interface Limits {
    /**
     * Sign-ins a minute for each network address; each account takes ten times as many failed ones
     * over all addresses. Attempts at devices' codes are limited by the same number, for each
     * network address and for each account.
     */
    @WithDefault("10")
    int signInsPerMinute();

    /** Personal access tokens that an account may make in an hour; failed attempts count. */
    @WithDefault("20")
    int patsPerHour();

    /** Subscriptions that an account may make in a minute; failed attempts count. */
    @WithDefault("20")
    int subscriptionsPerMinute();

    /** Commits that an account may make in a minute. */
    @WithDefault("0")
    int commitsPerMinute();

    /** Requests to repositories without credentials, an hour for each address. */
    @WithDefault("0")
    int anonymousReadsPerHour();

    /** OAuth clients that register, and devices that ask to connect, an hour and address. */
    @WithDefault("60")
    int registrationsPerHour();

    /**
     * How many seconds a client may take to read a part of an answer that was sent to it, before it
     * is disconnected. A page has up to 8 MiB and is one part. Cannot be switched off.
     */
    @WithDefault("120")
    int unreadAnswerSeconds();

    /**
     * How many seconds a streamed export may take before it is broken off, since it holds a
     * snapshot of the database as long. Exports by `prefer=async` are not bounded by their readers.
     * Cannot be switched off.
     */
    @WithDefault("600")
    int exportStreamSeconds();
  }

  /** Calls to other servers. */
  interface Egress {
    /**
     * What may be called although it is not public, by http and on any port too: a comma list of
     * host names, addresses and CIDRs. See `docs/egress.md`.
     */
    Optional<List<String>> allow();
  }
}
