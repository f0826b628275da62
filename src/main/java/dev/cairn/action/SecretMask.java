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

  private final List<String> lines;

  /** Masks each line of these too, unless it is too short to be a secret. */
  public SecretMask(Collection<String> secrets) {
    this.lines =
        secrets.stream()
            .flatMap(String::lines)
            .map(String::strip)
            .filter(line -> line.length() >= MIN_SECRET_LENGTH)
            .toList();
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
    var masked = JsonEscapes.none(text).masked(hidden(text), MASK);
    // A backend that quotes its request may quote it as JSON, in any of the ways to escape that.
    return JsonEscapes.in(masked)
        .map(escapes -> escapes.masked(hidden(escapes.meant()), MASK))
        .orElse(masked);
  }

  private BitSet hidden(String text) {
    var hidden = new BitSet(text.length());
    for (var line : lines) {
      for (int at = text.indexOf(line); at >= 0; at = text.indexOf(line, at + line.length())) {
        hidden.set(at, at + line.length());
      }
    }
    TOKEN.matcher(text).results().forEach(token -> hidden.set(token.start(), token.end()));
    return hidden;
  }
}
