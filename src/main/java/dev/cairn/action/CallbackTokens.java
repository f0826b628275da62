package dev.cairn.action;

import dev.cairn.platform.SecretBox;
import jakarta.inject.Singleton;
import java.util.Base64;
import java.util.UUID;

/**
 * The tokens in callback URLs, each good for the callback of one run. They are computed, not
 * stored; see {@code docs/actions.md}, Callbacks.
 */
@Singleton
class CallbackTokens {
  private static final String PURPOSE = "action callback";

  private final SecretBox secrets;

  CallbackTokens(SecretBox secrets) {
    this.secrets = secrets;
  }

  /** The token of a run. */
  String of(UUID runId) {
    var signature = secrets.sign(runId.toString(), PURPOSE);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(signature);
  }

  /** Whether it is that of the run; takes as long for any other. */
  boolean isOf(UUID runId, String token) {
    try {
      return secrets.isSignature(Base64.getUrlDecoder().decode(token), runId.toString(), PURPOSE);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
