package dev.cairn.platform.page;

import dev.cairn.model.Problem;
import dev.cairn.model.Sha256;
import dev.cairn.platform.Base64Url;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * An opaque pagination cursor: the keys of the last item, bound to the list's route, repository and
 * filters. If it is damaged or belongs to another list, it is a {@code VALIDATION_ERROR}.
 */
public final class Cursor {
  private static final int SEAL = 8;
  private static final String SEPARATOR = "\u0000";

  private Cursor() {}

  /**
   * The cursor after the item with these keys.
   *
   * @param list what the cursor belongs to: route, repository, filters
   */
  public static String of(String list, Object... keys) {
    var text =
        String.join(SEPARATOR, Arrays.stream(keys).map(String::valueOf).toList())
            .getBytes(StandardCharsets.UTF_8);
    var bytes = Arrays.copyOf(seal(list, text), SEAL + text.length);
    System.arraycopy(text, 0, bytes, SEAL, text.length);
    return Base64Url.encode(bytes);
  }

  /**
   * Reads the keys of a cursor of this list.
   *
   * @param read makes a position of the keys, which somebody may have made up: the seal has no
   *     secret. An {@link IllegalArgumentException}, or a key too few, means that it is damaged.
   * @throws Problem {@code VALIDATION_ERROR} at {@code ?cursor}
   */
  public static <T> T read(String list, String cursor, Function<List<String>, T> read) {
    var bytes = Base64Url.decode(cursor).orElseGet(() -> new byte[0]);
    if (bytes.length > SEAL) {
      var text = Arrays.copyOfRange(bytes, SEAL, bytes.length);
      if (Arrays.equals(seal(list, text), Arrays.copyOf(bytes, SEAL))) {
        try {
          return read.apply(List.of(new String(text, StandardCharsets.UTF_8).split(SEPARATOR, -1)));
        } catch (IllegalArgumentException | IndexOutOfBoundsException _) {
          throw damaged();
        }
      }
    }
    throw damaged();
  }

  private static Problem damaged() {
    return Problem.invalid("?cursor", "`cursor` is damaged, or belongs to another list or filter.")
        .hint("Take `nextCursor` as it is and repeat the other parameters unchanged.");
  }

  private static byte[] seal(String list, byte[] text) {
    var digest = Sha256.digest();
    digest.update(list.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
    return Arrays.copyOf(digest.digest(text), SEAL);
  }
}
