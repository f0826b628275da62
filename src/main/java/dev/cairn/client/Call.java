package dev.cairn.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.Supplier;

/** A request of the API, before it has a server and credentials; it can be sent several times. */
final class Call {
  private static final String HEX = "0123456789ABCDEF";
  private static final Set<String> REPEATABLE = Set.of("GET", "HEAD", "PUT");

  private final String method;
  private final StringBuilder path = new StringBuilder();
  private final List<String> query = new ArrayList<>();
  private final List<String> shownQuery = new ArrayList<>();
  private final Map<String, String> headers = new TreeMap<>();
  private Supplier<BodyPublisher> body = BodyPublishers::noBody;
  private boolean repeatable;
  private boolean authenticated = true;
  private @Nullable Duration timeout;

  private Call(String method, String... segments) {
    this.method = method;
    repeatable = REPEATABLE.contains(method);
    headers.put("Accept", "application/json");
    for (String segment : segments) {
      segment(segment);
    }
  }

  /** A GET of the path with these segments, of which each may have any characters. */
  static Call get(String... segments) {
    return new Call("GET", segments);
  }

  /** The same as a HEAD. */
  static Call head(String... segments) {
    return new Call("HEAD", segments);
  }

  /** The same as a POST, which is not repeated unless {@link #repeatable} says that it can be. */
  static Call post(String... segments) {
    return new Call("POST", segments);
  }

  /** The same as a PUT. */
  static Call put(String... segments) {
    return new Call("PUT", segments);
  }

  /** The same as a PATCH, which is not repeated. */
  static Call patch(String... segments) {
    return new Call("PATCH", segments);
  }

  /** The same as a DELETE, which is not repeated: the second answer would be 404. */
  static Call delete(String... segments) {
    return new Call("DELETE", segments);
  }

  /** Adds one segment to the path. */
  Call segment(String segment) {
    path.append('/').append(encode(segment));
    return this;
  }

  /** Adds a wref to the path, with its slashes as they are. */
  Call wref(String wref) {
    for (String segment : wref.split("/", -1)) {
      segment(segment);
    }
    return this;
  }

  /** Adds a parameter of the query, unless its value is null. */
  Call query(String name, @Nullable Object value) {
    if (value != null) {
      query.add(name + "=" + encode(value.toString()));
      shownQuery.add(query.getLast());
    }
    return this;
  }

  /** Adds the parameters of a query. */
  Call query(Parameters<?> parameters) {
    parameters.forEach(this::query);
    return this;
  }

  /** Adds {@code limit} and {@code cursor}. */
  Call query(Paging paging) {
    return query("limit", paging.limit()).query("cursor", paging.cursor());
  }

  /** Adds a parameter of the query whose value nobody may see. */
  Call secretQuery(String name, String value) {
    query.add(name + "=" + encode(value));
    shownQuery.add(name + "=…");
    return this;
  }

  /** Sets a header, unless its value is null. */
  Call header(String name, @Nullable String value) {
    if (value != null) {
      headers.put(name, value);
    }
    return this;
  }

  /** The media type that the answer should have; by default JSON. */
  Call accept(String type) {
    return header("Accept", type);
  }

  /** Sends an object as JSON. */
  Call json(Object object) {
    byte[] bytes;
    try {
      bytes = Json.mapper().writeValueAsBytes(object);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("The request cannot be written as JSON.", e);
    }
    return body("application/json", () -> BodyPublishers.ofByteArray(bytes));
  }

  /** Sends a form, {@code application/x-www-form-urlencoded}. */
  Call form(Map<String, String> fields) {
    var form = new StringJoiner("&");
    fields.forEach((name, value) -> form.add(formEncode(name) + "=" + formEncode(value)));
    return body(
        "application/x-www-form-urlencoded", () -> BodyPublishers.ofString(form.toString()));
  }

  /** Sends a body; the supplier is asked for each attempt. */
  Call body(String type, Supplier<BodyPublisher> publisher) {
    body = publisher;
    return header("Content-Type", type);
  }

  /** Sending it twice has the same effect as sending it once. */
  Call repeatable() {
    repeatable = true;
    return this;
  }

  /** Sends no credentials. */
  Call anonymous() {
    authenticated = false;
    return this;
  }

  /** How long the answer may take; by default what the client is configured for. */
  Call timeout(Duration longest) {
    timeout = longest;
    return this;
  }

  boolean isRepeatable() {
    return repeatable;
  }

  boolean isAuthenticated() {
    return authenticated;
  }

  /** How long the answer may take, or null for the client's default. */
  @Nullable
  Duration timeout() {
    return timeout;
  }

  /** The method and the target, without secrets. */
  @Override
  public String toString() {
    return method + " " + path + (shownQuery.isEmpty() ? "" : "?" + String.join("&", shownQuery));
  }

  /** The request to a server, whose URL does not end with a slash. */
  HttpRequest.Builder to(String server) {
    var target = path + (query.isEmpty() ? "" : "?" + String.join("&", query));
    var request = HttpRequest.newBuilder(URI.create(server + target)).method(method, body.get());
    headers.forEach(request::setHeader);
    return request;
  }

  private static String formEncode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** Percent-encodes all but the unreserved characters, as {@code docs/api.md}, Paths, requires. */
  private static String encode(String text) {
    var encoded = new StringBuilder();
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      if (c < 128 && (Character.isLetterOrDigit(c) || "-._~".indexOf(c) >= 0)) {
        encoded.append(c);
      } else {
        encoded.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
      }
    }
    return encoded.toString();
  }
}
