package dev.cairn.action;

import dev.cairn.platform.Base64Url;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.secret.Hmac;
import dev.cairn.platform.secret.Sealed;
import dev.cairn.platform.secret.SecretBox;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;

/**
 * The tokens in callback URLs, each valid for the callback of one run until it ends, or until what
 * is called, or for whom, is changed; see {@code docs/actions.md}, Callbacks. They are computed,
 * not stored, from a key of their own that is made once and kept sealed: a change of the secret key
 * changes none of them.
 */
@Singleton
class CallbackTokens implements Sealed {
  private static final Logger LOG = Logger.getLogger(CallbackTokens.class);
  private static final String PURPOSE = "callback_key";
  private static final int KEY_BYTES = 32;
  private static final String NUMBER = "(0|[1-9][0-9]{0,8})";
  private static final Pattern COUNTED = Pattern.compile(NUMBER + "\\." + NUMBER + "\\.");

  private final Database database;
  private final SecretBox secrets;

  /** Once made, it is the same for good. */
  private volatile byte[] key;

  /**
   * The time for which a token is valid.
   *
   * @param broughtBack how often the run was brought back after it had failed
   * @param generation how often what its subscription calls, or for whom, was changed
   */
  record Validity(int broughtBack, int generation) {}

  CallbackTokens(Database database, SecretBox secrets) {
    this.database = database;
    this.secrets = secrets;
  }

  /** The token of a run. */
  String of(UUID runId, Validity validity) {
    int broughtBack = validity.broughtBack();
    int generation = validity.generation();
    var code = code(runId + " " + broughtBack + " " + generation);
    return broughtBack + "." + generation + "." + Base64Url.encode(code);
  }

  /**
   * Whether it is that of the run; takes as long for any other of its length. Texts are compared:
   * base64 has several for the same bytes, and only the one that was given out is valid.
   */
  boolean isOf(UUID runId, Validity validity, String token) {
    return MessageDigest.isEqual(
        token.getBytes(StandardCharsets.UTF_8),
        of(runId, validity).getBytes(StandardCharsets.UTF_8));
  }

  /** Whether it is that of the run now, or was, or will be. Reads no run. */
  boolean isOfAnyTime(UUID runId, String token) {
    var counted = COUNTED.matcher(token);
    return counted.lookingAt()
        && isOf(
            runId,
            new Validity(Integer.parseInt(counted.group(1)), Integer.parseInt(counted.group(2))),
            token);
  }

  private byte[] code(String text) {
    if (key == null) {
      key = secrets.open(sealed().orElseGet(this::make), PURPOSE);
    }
    return Hmac.of(key, text.getBytes(StandardCharsets.US_ASCII));
  }

  private Optional<byte[]> sealed() {
    return database.first("select sealed from callback_key", row -> row.getBytes(1));
  }

  /** The first replica creates it for all. */
  private byte[] make() {
    var made = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(made);
    database.update(
        "insert into callback_key (one, sealed) values (true, ?) on conflict do nothing",
        secrets.seal(made, PURPOSE));
    return sealed().orElseThrow();
  }

  @Override
  public String what() {
    return "keys of callback tokens";
  }

  @Override
  public Resealed reseal() {
    var present = secrets.presentKeyId();
    var former =
        sealed().filter(s -> !Arrays.equals(s, 0, present.length, present, 0, present.length));
    if (former.isEmpty()) {
      return new Resealed(0, 0);
    }
    try {
      int resealed =
          database.update(
              "update callback_key set sealed = ? where sealed = ?",
              secrets.seal(secrets.open(former.get(), PURPOSE), PURPOSE),
              former.get());
      return new Resealed(resealed, 0);
    } catch (IllegalStateException e) {
      LOG.errorf("the key of callback tokens cannot be read: %s", e.getMessage());
      return new Resealed(0, 1);
    }
  }
}
