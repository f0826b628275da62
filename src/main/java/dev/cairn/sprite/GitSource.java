package dev.cairn.sprite;

import dev.cairn.action.SecretMask;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The repository that is checked out into the working directory before the command; see {@code
 * docs/sprites.md}, Checkouts.
 *
 * @param url of the repository
 * @param ref a branch, a tag or a commit; it cannot be mistaken for an option of git
 */
@RegisterForReflection
record GitSource(String url, String ref) {
  private static final Pattern REPOSITORY =
      Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}/[A-Za-z0-9._][A-Za-z0-9._-]{0,99}");
  private static final Pattern REF = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._/+@-]{0,254}");

  /**
   * A repository below the base URL that the operator configured.
   *
   * @throws SpriteException if git could interpret the name or the ref in another way
   */
  static GitSource of(URI base, String repository, String ref) throws SpriteException {
    if (!REPOSITORY.matcher(repository).matches()
        || repository.contains("..")
        || repository.endsWith("/.")) {
      throw refused("`gitRepo` must be `owner/repo`.");
    }
    if (ref == null || !REF.matcher(ref).matches() || ref.contains("..")) {
      throw refused("`ref` must be the name of a branch, a tag or a commit.");
    }
    var url = base.toString();
    return new GitSource((url.endsWith("/") ? url : url + "/") + repository, ref);
  }

  /** The repository as in the subscription: {@code owner/repo}. */
  String name() {
    return url.substring(url.lastIndexOf('/', url.lastIndexOf('/') - 1) + 1);
  }

  /**
   * The URL for git and for messages: without the user and the password that the operator's base
   * may have.
   */
  String shown() {
    var uri = URI.create(url);
    return uri.getRawUserInfo() == null ? url : url.replaceFirst("//[^/]*@", "//");
  }

  /**
   * The header that carries the user and the password of the URL; empty if it has none, or if its
   * protocol is not HTTP.
   */
  Optional<String> authorization() {
    var uri = URI.create(url);
    return Optional.ofNullable(uri.getUserInfo())
        .filter(_ -> uri.getScheme().startsWith("http"))
        .map(info -> "Authorization: Basic " + SecretMask.basic(info));
  }

  /** The user and the password in the operator's base URL, which messages must not show. */
  static List<String> secrets(URI base) {
    return SecretMask.userInfo(base);
  }

  private static SpriteException refused(String why) {
    return SpriteException.terminal(SpriteError.SPRITE_CREATE_FAILED, why);
  }
}
