package dev.cairn.access.authentication;

import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.Ids;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.secret.Sealed;
import dev.cairn.platform.secret.SecretBox;
import dev.cairn.work.Chore;
import jakarta.enterprise.context.ApplicationScoped;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;

/**
 * The keys of the built-in issuer, kept in the database so that every replica signs and verifies
 * alike; the private half is sealed. A key that tokens name is kept for half a minute, and so are
 * {@link VerifiedTokens}: one that is deleted or retired is trusted for at most a minute.
 *
 * <pre>
 *   made ──▶ published ──▶ signs ──▶ retired_at ──▶ published while its tokens live ──▶ deleted
 *              the while that others cache the key set
 * </pre>
 */
@ApplicationScoped
class SigningKeys implements Sealed, Chore {
  /** Serializes the creation of keys over all replicas. */
  private static final long ADVISORY_LOCK = 0x43_41_49_52_4e_01L;

  /** The {@code max-age} of the key set: a new key is published that long before it signs. */
  static final Duration KEY_SET_MAX_AGE = Duration.ofMinutes(5);

  /** The allowed difference between clocks. */
  private static final Duration MAX_CLOCK_SKEW = Duration.ofMinutes(5);

  /** How long a retired key is kept after the last token that it signed has expired. */
  private static final Duration RETENTION = Duration.ofDays(1);

  /** How long this replica uses a key without reading it again. */
  static final Duration MAX_CACHE_AGE = Duration.ofSeconds(30);

  private static final Logger LOG = Logger.getLogger(SigningKeys.class);

  /** The ids that may be looked up: anybody can put any text into a token. */
  private static final Pattern KEY_ID = Pattern.compile("[0-9a-f-]{36}");

  private final Database database;
  private final SecretBox secrets;
  private final Duration lifetime;
  private final ConcurrentHashMap<String, Kept> byId = new ConcurrentHashMap<>();

  private record Kept(SigningKey key, Instant until) {}

  SigningKeys(Database database, SecretBox secrets, CairnConfig config) {
    this.database = database;
    this.secrets = secrets;
    this.lifetime = config.signingKeyLifetime();
  }

  /** The key that signs now; the first call on an empty database creates it. */
  SigningKey current() {
    return signing().orElseGet(() -> database.transaction(this::createFirst));
  }

  /** The key with that id, if it is published, or was until half a minute ago. */
  Optional<SigningKey> byId(String id, Instant now) {
    var known = byId.get(id);
    if (known != null && now.isBefore(known.until())) {
      return Optional.of(known.key());
    }
    if (!KEY_ID.matcher(id).matches()) {
      return Optional.empty();
    }
    var found =
        database.first(
            """
            select id, public_key, private_key from signing_key
            where id = ? and (retired_at is null or retired_at > ?)
            """,
            this::read,
            id,
            oldest(now));
    found.ifPresentOrElse(
        key -> byId.put(id, new Kept(key, now.plus(MAX_CACHE_AGE))), () -> byId.remove(id));
    return found;
  }

  /** A key that was retired before this moment has no tokens in use. */
  private static Instant oldest(Instant now) {
    return now.minus(AccessTokens.LIFETIME).minus(MAX_CLOCK_SKEW);
  }

  /** Every key whose tokens may still be in use, newest first. */
  List<SigningKey> published() {
    return database.list(
        """
        select id, public_key, private_key from signing_key
        where retired_at is null or retired_at > ? order by created_at desc
        """,
        this::read,
        oldest(Instant.now()));
  }

  /** Replaces the key when it is old, on whichever replica comes first. */
  void rotate() {
    var now = Instant.now();
    database.transaction(
        () -> {
          lock();
          boolean due =
              database
                  .first(
                      """
                      select max(created_at) < ? from signing_key where retired_at is null
                      """,
                      row -> row.getBoolean(1),
                      now.minus(lifetime))
                  .orElse(false);
          if (due) {
            var next = create();
            database.update(
                "update signing_key set retired_at = ? where retired_at is null and id <> ?",
                now.plus(KEY_SET_MAX_AGE),
                next.id());
            LOG.infof("signing key %s takes over in %s", next.id(), KEY_SET_MAX_AGE);
          }
          return database.update(
              "delete from signing_key where retired_at < ?",
              now.minus(AccessTokens.LIFETIME).minus(RETENTION));
        });
  }

  @Override
  public String name() {
    return "signing keys";
  }

  @Override
  public boolean runBatch() {
    rotate();
    return false;
  }

  @Override
  public String what() {
    return "signing keys";
  }

  /** There are few of them. */
  @Override
  public Resealed reseal() {
    record Stored(String id, byte[] sealed) {}
    int resealed = 0;
    int unreadable = 0;
    var others =
        database.list(
            "select id, private_key from signing_key where substring(private_key for 4) <> ?",
            row -> new Stored(row.getString(1), row.getBytes(2)),
            secrets.presentKeyId());
    for (var key : others) {
      try {
        var opened = secrets.open(key.sealed(), purpose(key.id()));
        resealed +=
            database.update(
                "update signing_key set private_key = ? where id = ? and private_key = ?",
                secrets.seal(opened, purpose(key.id())),
                key.id(),
                key.sealed());
      } catch (IllegalStateException e) {
        LOG.errorf("signing key %s cannot be read: %s", key.id(), e.getMessage());
        unreadable++;
      }
    }
    return new Resealed(resealed, unreadable);
  }

  private Optional<SigningKey> signing() {
    return database.first(
        """
        select id, public_key, private_key from signing_key
        where retired_at is null or retired_at > ? order by created_at limit 1
        """,
        this::read,
        Instant.now());
  }

  private SigningKey createFirst() {
    lock();
    return signing().orElseGet(this::create);
  }

  private void lock() {
    database.first("select pg_advisory_xact_lock(?)", row -> true, ADVISORY_LOCK);
  }

  private SigningKey create() {
    var id = Ids.next().toString();
    try {
      var generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      var pair = generator.generateKeyPair();
      database.update(
          """
          insert into signing_key (id, algorithm, public_key, private_key, created_at)
          values (?, 'ES256', ?, ?, ?)
          """,
          id,
          pair.getPublic().getEncoded(),
          secrets.seal(pair.getPrivate().getEncoded(), purpose(id)),
          Instant.now());
      return new SigningKey(id, (ECPublicKey) pair.getPublic(), pair.getPrivate());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("P-256 is part of every JDK", e);
    }
  }

  private SigningKey read(ResultSet row) throws SQLException {
    var id = row.getString(1);
    try {
      var factory = KeyFactory.getInstance("EC");
      var publicKey = (ECPublicKey) factory.generatePublic(new X509EncodedKeySpec(row.getBytes(2)));
      var privateKey =
          factory.generatePrivate(
              new PKCS8EncodedKeySpec(secrets.open(row.getBytes(3), purpose(id))));
      return new SigningKey(id, publicKey, privateKey);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("signing key " + id + " cannot be read", e);
    }
  }

  private static String purpose(String id) {
    return "signing_key.private_key:" + id;
  }
}
