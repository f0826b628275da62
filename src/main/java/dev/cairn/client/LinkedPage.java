package dev.cairn.client;

import java.net.http.HttpHeaders;
import java.util.List;
import java.util.regex.Pattern;

/** A page of a list that is a plain array, whose next page is in the header {@code Link}. */
record LinkedPage<T>(List<T> items, @Nullable String nextCursor) implements Page<T> {
  private static final Pattern NEXT =
      Pattern.compile("<[^>]*[?&]cursor=([A-Za-z0-9_-]+)[^>]*>\\s*;\\s*rel=\"?next\"?");

  /** The cursor of the next page, or null if there is none. */
  static @Nullable String nextCursor(HttpHeaders headers) {
    for (String link : headers.allValues("Link")) {
      var matcher = NEXT.matcher(link);
      if (matcher.find()) {
        return matcher.group(1);
      }
    }
    return null;
  }
}
