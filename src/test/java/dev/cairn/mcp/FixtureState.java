package dev.cairn.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs what a client has to send back, so that a changed one is noticed. */
final class FixtureState {
  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec key =
      new SecretKeySpec(UUID.randomUUID().toString().getBytes(UTF_8), ALGORITHM);

  String signed(String text) {
    return text + "." + signature(text);
  }

  /**
   * The text that was signed.
   *
   * @throws McpError where it was not
   */
  String verified(String signed) {
    int dot = signed.indexOf('.');
    var text = signed.substring(0, Math.max(dot, 0));
    if (!MessageDigest.isEqual(signed(text).getBytes(UTF_8), signed.getBytes(UTF_8))) {
      throw McpError.params("This requestState was changed on its way.");
    }
    return text;
  }

  private String signature(String text) {
    try {
      var mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(mac.doFinal(text.getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
