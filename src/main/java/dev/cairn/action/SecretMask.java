package dev.cairn.action;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import java.net.URI;
import java.util.ArrayList;
import java.util.Base64;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Masks secrets, and whatever has the form of a token of this service, in a text that a command, a
 * callback or a backend wrote. The rules are in {@code docs/actions.md}, Masking.
 */
public final class SecretMask {
  /** Masks tokens of this service alone. */
  static final SecretMask OF_TOKENS = new SecretMask(List.of(), Cut.NONE);

  /** Masks whole texts. */
  static final SecretMask OF_EVERYTHING = new SecretMask(List.of(), Cut.EVERYWHERE);

  private static final String MASK = "…";

  /**
   * A secret with a prefix for its kind, or an access token, which is a JWT. A JWT begins after
   * what cannot be a part of one, so that a long text is searched once.
   */
  private static final Pattern TOKEN =
      Pattern.compile(
          "cairn_[a-z]{2,16}_[A-Za-z0-9_-]{32,}"
              + "|(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}");

  private final Secrets secrets;
  private final Cut cut;

  /** Where a text was cut. */
  public enum Cut {
    NONE,
    BEGINNING,
    /** At its beginning, at its end, or at both. */
    BOTH,
    /** Any part of it may be a piece of a secret. */
    EVERYWHERE
  }

  /** Secrets that need not be in memory at the same time. */
  @FunctionalInterface
  interface Secrets {
    /** Passes on one secret after another. */
    void each(Consumer<String> secret);
  }

  /**
   * Masks each line of these too, unless it is too short to be a secret.
   *
   * @param cut where a text may hold a piece of a secret
   */
  public SecretMask(Collection<String> secrets, Cut cut) {
    this(secrets::forEach, cut);
  }

  /** The same for secrets that are read again for each text, or for texts that go together. */
  SecretMask(Secrets secrets, Cut cut) {
    this.secrets = secrets;
    this.cut = cut;
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
    return text == null ? null : masked(text, 0);
  }

  /**
   * The end of a text, masked as in the whole text: nothing is left of a secret that begins before
   * it.
   *
   * @param from where it begins
   */
  public String masked(String text, int from) {
    return masked(text, from, text.length(), hidden(text));
  }

  /** Several texts, for which the secrets are read once; null for each that is null. */
  List<String> masked(List<String> texts) {
    // No secret and no escape has a line break.
    var all = texts.stream().map(text -> text == null ? "" : text).collect(joining("\n"));
    var hidden = hidden(all);
    var masked = new ArrayList<String>();
    int from = 0;
    for (var text : texts) {
      int to = from + (text == null ? 0 : text.length());
      masked.add(text == null ? null : masked(all, from, to, hidden));
      from = to + 1;
    }
    return masked;
  }

  private BitSet hidden(String text) {
    // A backend that quotes its request may quote it as JSON, in any of the ways to escape that.
    var escapes = JsonEscapes.in(text);
    var written = new SecretSearch(text);
    var meant = escapes.map(JsonEscapes::meant).map(SecretSearch::new);
    secrets.each(
        secret -> {
          var lines = new SecretLines(secret, text.length());
          written.look(lines);
          meant.ifPresent(search -> search.look(lines));
        });
    var hidden = found(written);
    meant.ifPresent(search -> hidden.or(escapes.orElseThrow().written(found(search))));
    return hidden;
  }

  private BitSet found(SecretSearch search) {
    var found = search.found(cut);
    TOKEN.matcher(search.text()).results().forEach(token -> found.set(token.start(), token.end()));
    return found;
  }

  private static String masked(String text, int from, int to, BitSet hidden) {
    var masked = new StringBuilder();
    int shown = from;
    for (int at = hidden.nextSetBit(from); at >= 0 && at < to; at = hidden.nextSetBit(shown)) {
      masked.append(text, shown, at).append(MASK);
      shown = Math.min(to, hidden.nextClearBit(at));
    }
    return masked.append(text, shown, to).toString();
  }
}
