package dev.cairn.oauth;

import dev.cairn.access.authentication.AccessTokens;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * An OAuth client. All clients are public: they hold no secret.
 *
 * @param provenance what is known of it, shown to the person who decides
 */
record Client(String id, String name, List<String> redirectUris, String provenance) {
  /** Cairn's own command line, which needs no registration. */
  static final Client COMMAND_LINE =
      new Client(
          AccessTokens.OWN_CLIENT,
          "Cairn command line",
          List.of(
              "http://127.0.0.1/callback", "http://[::1]/callback", "http://localhost/callback"),
          "Cairn's own command-line program, or one that uses its name");

  /** Whether it is part of Cairn; any other client may have been registered by anybody. */
  boolean isOwn() {
    return id.equals(AccessTokens.OWN_CLIENT);
  }

  /** The redirect URI for the answer; if none is requested, the only one that is registered. */
  Optional<URI> redirectUri(Optional<String> requested) {
    return requested.isPresent()
        ? requested
            .filter(uri -> redirectUris.stream().anyMatch(r -> RedirectUris.match(r, uri)))
            .map(URI::create)
        : Optional.of(redirectUris)
            .filter(all -> all.size() == 1)
            .map(all -> URI.create(all.getFirst()));
  }
}
