import java.time.Duration;

/**
 * How large and how long the attacks are: in full, or a quarter of it with {@code -Dquick=true}.
 */
final class Scale {
  static final boolean IS_QUICK = Boolean.getBoolean("quick");
  private static final int DIVISOR = IS_QUICK ? 4 : 1;

  private Scale() {}

  /** This number, or a quarter of it. */
  static int count(int full) {
    return Math.max(1, full / DIVISOR);
  }

  /** The value of a system property; without it this number, or a quarter of it. */
  static int count(String property, int full) {
    return Integer.getInteger(property, count(full));
  }

  /** The same for a time, at least a second. */
  static Duration seconds(String property, int full) {
    return Duration.ofSeconds(count(property, full));
  }
}
