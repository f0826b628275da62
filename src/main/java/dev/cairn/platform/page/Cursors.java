package dev.cairn.platform.page;

import dev.cairn.model.Problem;
import dev.cairn.platform.Base64Url;
import dev.cairn.platform.secret.SecretBox;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * Opaque pagination cursors: the keys of the last item, sealed with the secret key and bound to the
 * list's route, repository and filters. Equal keys of a list give equal cursors, so that equal
 * reads give equal answers.
 */
@ApplicationScoped
public class Cursors {
  private static final String SEPARATOR = "\u0000";

  /**
   * The keys are filled up with separators to a multiple of these bytes, so that the length of a
   * cursor does not show how many digits a number in it has.
   */
  private static final int BLOCK_BYTES = 64;

  private final SecretBox secrets;

  /** Cursors sealed by {@code secrets}. */
  public Cursors(SecretBox secrets) {
    this.secrets = secrets;
  }

  /**
   * The cursor after the item with these keys.
   *
   * @param list what the cursor belongs to: route, repository, filters
   * @param keys without U+0000; the last one is not empty
   */
  public String of(String list, Object... keys) {
    var text =
        String.join(SEPARATOR, Arrays.stream(keys).map(String::valueOf).toList())
            .getBytes(StandardCharsets.UTF_8);
    var filled = Arrays.copyOf(text, Math.ceilDiv(text.length, BLOCK_BYTES) * BLOCK_BYTES);
    return Base64Url.encode(secrets.sealDeterministically(filled, purpose(list)));
  }

  /**
   * Reads the keys of a cursor of this list.
   *
   * @param read makes a position of the keys. They may be those of another version of the service:
   *     an {@link IllegalArgumentException}, or a key too few, means that the cursor is damaged.
   * @throws Problem {@code VALIDATION_ERROR} at {@code ?cursor} if it is damaged, belongs to
   *     another list, or was sealed under a secret key that is not configured any more
   */
  public <T> T read(String list, String cursor, Function<List<String>, T> read) {
    var keys = keys(list, cursor);
    try {
      return read.apply(keys);
    } catch (IllegalArgumentException | IndexOutOfBoundsException _) {
      throw damaged();
    }
  }

  private List<String> keys(String list, String cursor) {
    var sealed = Base64Url.decode(cursor).orElseThrow(Cursors::damaged);
    try {
      var text =
          new String(secrets.openDeterministic(sealed, purpose(list)), StandardCharsets.UTF_8);
      // Without the separators at the end.
      return List.of(text.split(SEPARATOR));
    } catch (IllegalStateException _) {
      throw damaged();
    }
  }

  private static String purpose(String list) {
    return "cursor " + list;
  }

  private static Problem damaged() {
    return Problem.invalid("?cursor", "`cursor` is damaged, or belongs to another list or filter.")
        .hint("Take `nextCursor` as it is and repeat the other parameters unchanged.");
  }
}
