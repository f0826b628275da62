package dev.cairn.action;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.util.Base64;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Masks secrets, and whatever has the form of a token of this service, in a text that a command, a
 * callback or a backend wrote. The rules are in {@code docs/actions.md}, Masking.
 */
public final class SecretMask {
  /** Masks tokens of this service alone. */
  static final SecretMask OF_TOKENS = new SecretMask(List.of());

  private static final String MASK = "…";
  private static final int MIN_SECRET_LENGTH = 4;

  /**
   * A secret with a prefix for its kind, or an access token, which is a JWT. A JWT begins after
   * what cannot be a part of one, so that a long text is searched once.
   */
  private static final Pattern TOKEN =
      Pattern.compile(
          "cairn_[a-z]{2,16}_[A-Za-z0-9_-]{32,}"
              + "|(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}");

  private final SecretSearch search;

  /** Where a text was cut. */
  public enum Cut {
    NONE,
    BEGINNING,
    /** At its beginning, at its end, or at both. */
    BOTH
  }

  /** Masks each line of these too, unless it is too short to be a secret. */
  public SecretMask(Collection<String> secrets) {
    this(secrets, Cut.NONE);
  }

  /**
   * The same for a text that may have been cut.
   *
   * @param cut where it may hold a piece of a secret
   */
  public SecretMask(Collection<String> secrets, Cut cut) {
    this.search =
        new SecretSearch(
            secrets.stream()
                .flatMap(String::lines)
                .map(String::strip)
                .filter(line -> line.length() >= MIN_SECRET_LENGTH)
                .toList(),
            cut);
  }

  /**
   * What a URL has of user and password, as it is written, as it is meant and as HTTP sends it, not
   * to be seen in a text.
   */
  public static List<String> userInfo(URI url) {
    if (url.getRawUserInfo() == null) {
      return List.of();
    }
    return Stream.concat(
            Stream.of(url.getRawUserInfo(), url.getUserInfo())
                .flatMap(info -> Stream.concat(Stream.of(info), Stream.of(info.split(":", 2)))),
            Stream.of(basic(url.getUserInfo())))
        .distinct()
        .toList();
  }

  /** User and password, separated by a colon, as HTTP sends them. */
  public static String basic(String userInfo) {
    var pair = userInfo.contains(":") ? userInfo : userInfo + ":";
    return Base64.getEncoder().encodeToString(pair.getBytes(UTF_8));
  }

  /** The text with its secrets masked, also as a JSON string escapes them; null for null. */
  public String masked(String text) {
    if (text == null) {
      return null;
    }
    var hidden = hidden(text);
    // A backend that quotes its request may quote it as JSON, in any of the ways to escape that.
    JsonEscapes.in(text).ifPresent(escapes -> hidden.or(escapes.written(hidden(escapes.meant()))));
    return masked(text, hidden);
  }

  private BitSet hidden(String text) {
    var hidden = search.in(text);
    TOKEN.matcher(text).results().forEach(token -> hidden.set(token.start(), token.end()));
    return hidden;
  }

  private static String masked(String text, BitSet hidden) {
    var masked = new StringBuilder();
    int shown = 0;
    for (int from = hidden.nextSetBit(0); from >= 0; from = hidden.nextSetBit(shown)) {
      masked.append(text, shown, from).append(MASK);
      shown = hidden.nextClearBit(from);
    }
    return masked.append(text, shown, text.length()).toString();
  }
}
