package dev.cairn.egress;

import dev.cairn.platform.Body;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * One call. Begin with {@link #get} or {@link #post}; the limits are those of webhooks unless they
 * are set.
 *
 * @param purpose a constant for the metrics, such as {@code webhook}
 * @param requester the tenant that the call is made for: name look-ups are shared fairly between
 *     tenants; unless it is set, all calls with the same purpose count as one tenant
 * @param method {@code GET}, {@code POST} and so on
 * @param url of the target; the policy checks it with each call
 * @param isOperatorUrl whether the operator configured the URL: then any address may be called
 * @param headers the headers to send, in order; those of the connection are not among them
 * @param body what to send, or null
 * @param timeout for the whole exchange, from the look-up of the name on
 * @param maxResponseBytes how much of the response's body is read before the connection is closed
 * @param maxKeptBytes how much of that is kept
 */
public record EgressRequest(
    String purpose,
    String requester,
    String method,
    String url,
    boolean isOperatorUrl,
    Map<String, String> headers,
    Body body,
    Duration timeout,
    int maxResponseBytes,
    int maxKeptBytes) {
  private static final Duration TIMEOUT = Duration.ofSeconds(15);
  private static final int MAX_RESPONSE_BYTES = 1024 * 1024;
  private static final int MAX_KEPT_BYTES = 64 * 1024;

  private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
  private static final Pattern VALUE = Pattern.compile("[\\t\\x20-\\x7e]*");

  /** What frames a message or belongs to the connection; set by {@link EgressClient} alone. */
  private static final Set<String> RESERVED =
      Set.of(
          "connection",
          "content-length",
          "expect",
          "host",
          "http2-settings",
          "keep-alive",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  /**
   * Makes a call.
   *
   * @throws IllegalArgumentException for a header that {@link #maySend} or {@link #maySendValue}
   *     denies
   */
  public EgressRequest {
    headers.forEach(EgressRequest::requireSendable);
    headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
  }

  /** A call without a body. */
  public static EgressRequest get(String purpose, String url) {
    return new EgressRequest(
        purpose,
        purpose,
        "GET",
        url,
        false,
        Map.of(),
        null,
        TIMEOUT,
        MAX_RESPONSE_BYTES,
        MAX_KEPT_BYTES);
  }

  /** A call with a body. */
  public static EgressRequest post(String purpose, String url, byte[] body) {
    return post(purpose, url, Body.of(body));
  }

  /** A call with a body that is read while it is sent. */
  public static EgressRequest post(String purpose, String url, Body body) {
    return new EgressRequest(
        purpose,
        purpose,
        "POST",
        url,
        false,
        Map.of(),
        body,
        TIMEOUT,
        MAX_RESPONSE_BYTES,
        MAX_KEPT_BYTES);
  }

  /** Whether a caller may send a header of this name. */
  public static boolean maySend(String header) {
    var name = header.toLowerCase(Locale.ROOT);
    return NAME.matcher(name).matches() && !RESERVED.contains(name) && !name.startsWith("proxy-");
  }

  /** Whether a header may have this value: visible ASCII, blanks and tabs. */
  public static boolean maySendValue(String value) {
    return VALUE.matcher(value).matches();
  }

  /** The same call for a tenant. */
  public EgressRequest onBehalfOf(UUID tenantId) {
    return with(changed -> changed.requester = tenantId.toString());
  }

  /** The same call to a URL that the operator configured: any address may be called. */
  public EgressRequest toOperatorUrl() {
    return with(changed -> changed.isOperatorUrl = true);
  }

  /** The same call with one more header, or another value of it. */
  public EgressRequest header(String name, String value) {
    return with(changed -> changed.headers.put(name, value));
  }

  /** The same call by another method. */
  public EgressRequest method(String other) {
    return with(changed -> changed.method = other);
  }

  /** The same call with another time limit. */
  public EgressRequest within(Duration time) {
    return with(changed -> changed.timeout = time);
  }

  /**
   * The same call with other limits on the response's body.
   *
   * @param maxBytes how many bytes are read before the connection is closed
   * @param maxKeptBytes how many of these are kept
   */
  public EgressRequest withResponseLimits(int maxBytes, int maxKeptBytes) {
    return with(
        changed -> {
          changed.maxResponseBytes = maxBytes;
          changed.maxKeptBytes = maxKeptBytes;
        });
  }

  private EgressRequest with(Consumer<Changed> change) {
    var changed = new Changed(this);
    change.accept(changed);
    return new EgressRequest(
        purpose,
        changed.requester,
        changed.method,
        url,
        changed.isOperatorUrl,
        changed.headers,
        body,
        changed.timeout,
        changed.maxResponseBytes,
        changed.maxKeptBytes);
  }

  /** What may be changed of a call. */
  private static final class Changed {
    private final Map<String, String> headers;
    private String requester;
    private String method;
    private boolean isOperatorUrl;
    private Duration timeout;
    private int maxResponseBytes;
    private int maxKeptBytes;

    Changed(EgressRequest call) {
      this.headers = new LinkedHashMap<>(call.headers);
      this.requester = call.requester;
      this.method = call.method;
      this.isOperatorUrl = call.isOperatorUrl;
      this.timeout = call.timeout;
      this.maxResponseBytes = call.maxResponseBytes;
      this.maxKeptBytes = call.maxKeptBytes;
    }
  }

  private static void requireSendable(String name, String value) {
    if (!maySend(name) || !maySendValue(value)) {
      throw new IllegalArgumentException("this header may not be sent");
    }
  }

  /** Only what may be logged. */
  @Override
  public String toString() {
    return "EgressRequest[" + purpose + "]";
  }
}
