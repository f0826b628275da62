package dev.cairn.platform.http;

import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/**
 * The content coding of the answer to a request, by its {@code Accept-Encoding} (RFC 9110, section
 * 12.5.3) and its path. See {@code docs/api.md}, Compression.
 */
public enum AcceptedCoding {
  /** The answer is sent as it is. */
  IDENTITY,
  /** The answer is compressed if it is long. */
  GZIP_IF_LONG,
  /** The answer is compressed unless it is empty, because the client refuses it as it is. */
  GZIP;

  /** The length of an answer, in bytes, beyond which it is compressed. */
  static final int MAX_PLAIN_BYTES = 1024;

  /** The length of a stream, which is not known before it has ended, and counts as long. */
  public static final long STREAM = Long.MAX_VALUE;

  /**
   * Pages that take cookies, so that somebody else can make a browser send guesses to them: the
   * length of a compressed answer would tell how much of a secret in it a guess has in common with
   * it (BREACH). What programs get there is short.
   */
  private static final Pattern NEVER_COMPRESSED = Pattern.compile("/device|/oauth(/.*)?");

  /** A longer header is not read. */
  private static final int MAX_LENGTH = 1_000;

  private static final Pattern ITEM =
      Pattern.compile(
          "[ \\t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \\t]*"
              + "(?:;[ \\t]*[qQ]=(0(?:\\.[0-9]{0,3})?|1(?:\\.0{0,3})?)[ \\t]*)?");

  /** The coding of the answer to a request. */
  public static AcceptedCoding of(HttpServerRequest request) {
    var accepted = request.headers().getAll(HttpHeaders.ACCEPT_ENCODING);
    return !accepted.isEmpty() && mayCompress(request.path()) ? of(accepted) : IDENTITY;
  }

  /** Whether the answers at a path are ever compressed; the path is null if it is malformed. */
  static boolean mayCompress(String path) {
    return path != null && !NEVER_COMPRESSED.matcher(path).matches();
  }

  /**
   * The coding that the client prefers.
   *
   * @param lines the values of {@code Accept-Encoding}; what is malformed in them counts for
   *     nothing
   */
  static AcceptedCoding of(List<String> lines) {
    var weights = new HashMap<String, Double>();
    var line = String.join(",", lines);
    for (var item : line.length() > MAX_LENGTH ? new String[0] : line.split(",", -1)) {
      var matcher = ITEM.matcher(item);
      if (matcher.matches()) {
        var weight = matcher.group(2) == null ? 1 : Double.parseDouble(matcher.group(2));
        weights.put(matcher.group(1).toLowerCase(Locale.ROOT), weight);
      }
    }
    var others = weights.get("*");
    var gzip = weights.getOrDefault("gzip", weights.getOrDefault("x-gzip", others));
    // `*` covers the identity too, but only a weight of 0 says anything about it.
    var identity = weights.getOrDefault("identity", others != null && others == 0 ? others : null);
    return of(optional(gzip), optional(identity));
  }

  private static OptionalDouble optional(Double weight) {
    return weight == null ? OptionalDouble.empty() : OptionalDouble.of(weight);
  }

  private static AcceptedCoding of(OptionalDouble gzip, OptionalDouble identity) {
    boolean refusesIdentity = identity.isPresent() && identity.getAsDouble() == 0;
    if (gzip.isEmpty()) {
      return refusesIdentity ? GZIP : IDENTITY;
    }
    if (gzip.getAsDouble() == 0 || identity.orElse(0) > gzip.getAsDouble()) {
      return IDENTITY;
    }
    return refusesIdentity ? GZIP : GZIP_IF_LONG;
  }

  /**
   * Whether an answer is compressed.
   *
   * @param length in bytes, not compressed; {@link #STREAM} if it is not known
   */
  public boolean compresses(long length) {
    return switch (this) {
      case IDENTITY -> false;
      case GZIP_IF_LONG -> length > MAX_PLAIN_BYTES;
      case GZIP -> length > 0;
    };
  }

  /** Whether an answer may be sent compressed, or as it is. */
  public boolean allows(boolean compressed) {
    return this != (compressed ? IDENTITY : GZIP);
  }
}
