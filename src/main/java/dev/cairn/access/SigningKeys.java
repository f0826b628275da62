package dev.cairn.access;

import dev.cairn.platform.Database;
import dev.cairn.platform.Ids;
import dev.cairn.platform.SecretBox;
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
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * The keys of the built-in issuer, kept in the database so that every replica signs and verifies
 * alike; the private half is sealed. A key never changes, so it is cached by its id.
 */
@ApplicationScoped
class SigningKeys {
  /** Serializes the making of the first key over all replicas. */
  private static final long ADVISORY_LOCK = 0x43_41_49_52_4e_01L;

  /** What may be looked up: a token says whatever its maker likes. */
  private static final Pattern KEY_ID = Pattern.compile("[0-9a-f-]{36}");

  private final Database database;
  private final SecretBox secrets;
  private final ConcurrentHashMap<String, SigningKey> byId = new ConcurrentHashMap<>();

  SigningKeys(Database database, SecretBox secrets) {
    this.database = database;
    this.secrets = secrets;
  }

  /** The key that signs now; the first call on an empty database makes it. */
  SigningKey current() {
    return newest().orElseGet(() -> database.transaction(this::createFirst));
  }

  /** The key of that id, if the token that names it was signed by this service. */
  Optional<SigningKey> byId(String id) {
    var known = byId.get(id);
    if (known != null) {
      return Optional.of(known);
    }
    if (!KEY_ID.matcher(id).matches()) {
      return Optional.empty();
    }
    var found =
        database.first(
            "select id, public_key, private_key from signing_key where id = ?", this::read, id);
    found.ifPresent(key -> byId.put(id, key));
    return found;
  }

  /** Every key whose tokens may still be in use, newest first. */
  List<SigningKey> published() {
    return database.list(
        "select id, public_key, private_key from signing_key order by created_at desc", this::read);
  }

  private Optional<SigningKey> newest() {
    return database.first(
        """
        select id, public_key, private_key from signing_key
        where retired_at is null order by created_at desc limit 1
        """,
        this::read);
  }

  private SigningKey createFirst() {
    database.first("select pg_advisory_xact_lock(?)", row -> true, ADVISORY_LOCK);
    return newest().orElseGet(this::create);
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
