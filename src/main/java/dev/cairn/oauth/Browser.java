package dev.cairn.oauth;

import dev.cairn.platform.Base64Url;
import dev.cairn.platform.secret.Hmac;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.core.NewCookie;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Optional;

/**
 * The browser that sends a request: its cookies, and the CSRF protection of forms.
 *
 * <p>A form contains a token derived from a cookie that only this service can have set: that of the
 * session, or before a sign-in a cookie for that form alone. Another site neither knows the cookie
 * nor can set one, thanks to the {@code __Host-} prefix.
 *
 * @param base the service's base URL
 * @param address the network address of the browser
 */
record Browser(HttpServerRequest request, String base, String address) {
  static final String SESSION = "cairn-session";
  static final String FORM = "cairn-form";

  /** The form field with the CSRF token. */
  static final String CSRF = "csrf";

  /** The value of a cookie, if it has the format of ours. */
  Optional<String> cookie(String name) {
    return Optional.ofNullable(request.getCookie(prefixed(name)))
        .map(cookie -> cookie.getValue())
        .filter(Secret.COOKIE::matches);
  }

  /** Sets a cookie. */
  NewCookie setCookie(String name, String value, Duration age) {
    return new NewCookie.Builder(prefixed(name))
        .value(value)
        .path("/")
        .maxAge((int) age.toSeconds())
        .secure(isSecure())
        .httpOnly(true)
        .sameSite(NewCookie.SameSite.LAX)
        .build();
  }

  /** Makes the browser delete a cookie. */
  NewCookie delete(String name) {
    return setCookie(name, "", Duration.ZERO);
  }

  /** The CSRF token that belongs to a cookie. */
  static String token(String cookie) {
    var code =
        Hmac.of(
            cookie.getBytes(StandardCharsets.US_ASCII), CSRF.getBytes(StandardCharsets.US_ASCII));
    return Base64Url.encode(code);
  }

  /** Whether the form was sent from our own page, with the CSRF token of the cookie. */
  boolean hasSent(Parameters form, String cookieName) {
    var expected = cookie(cookieName).map(Browser::token).orElse("");
    return isSameOrigin() && form.text(CSRF).filter(token -> isSame(token, expected)).isPresent();
  }

  /**
   * Browsers send the origin of a form. Because our pages send no referrer, some browsers send
   * {@code null} instead; then the CSRF token alone decides.
   */
  private boolean isSameOrigin() {
    var site = request.getHeader("Sec-Fetch-Site");
    var origin = request.getHeader("Origin");
    return (site == null || "same-origin".equals(site))
        && (origin == null || "null".equals(origin) || origin.equals(origin()));
  }

  private String origin() {
    var url = URI.create(base);
    return url.getScheme() + "://" + url.getRawAuthority();
  }

  /** One of our paths, as the browser sees it. */
  String path(String path) {
    return URI.create(base).getRawPath() + path;
  }

  private boolean isSecure() {
    return base.startsWith("https:");
  }

  private String prefixed(String name) {
    return isSecure() ? "__Host-" + name : name;
  }

  private static boolean isSame(String one, String other) {
    return MessageDigest.isEqual(
        one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
  }
}
