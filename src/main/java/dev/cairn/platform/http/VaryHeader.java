package dev.cairn.platform.http;

import io.vertx.core.http.HttpServerResponse;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.ArrayList;
import java.util.Arrays;

/** The header {@code Vary}, in one line, since not every client joins several. */
final class VaryHeader {
  private VaryHeader() {}

  /** Adds the name of a request header on which the answer depends, unless it is there already. */
  static void add(HttpServerResponse response, String name) {
    var names = new ArrayList<String>();
    for (var line : response.headers().getAll(HttpHeaders.VARY)) {
      names.addAll(Arrays.asList(line.split(", *", -1)));
    }
    if (!names.contains(name)) {
      names.add(name);
      response.putHeader(HttpHeaders.VARY, String.join(", ", names));
    }
  }
}
