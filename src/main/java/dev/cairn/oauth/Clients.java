package dev.cairn.oauth;

import com.nimbusds.oauth2.sdk.OAuth2Error;
import dev.cairn.access.Caller;
import dev.cairn.access.LookUpLimit;
import dev.cairn.access.limit.Quotas.Quota;
import dev.cairn.model.Problem;
import dev.cairn.platform.Ids;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Expired;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** All known clients: the built-in one, registered ones, and those with a document. */
@ApplicationScoped
class Clients {
  /** A client that has got no token for this time is deleted. */
  static final Duration UNUSED_LIFETIME = Duration.ofDays(90);

  /** The same for a client that has never got one, since no account has wanted it. */
  static final Duration NEVER_USED_LIFETIME = Duration.ofDays(1);

  /** A younger client is not deleted for newer ones: people must sign in and consent. */
  private static final Duration MIN_TIME_TO_CONSENT = Duration.ofHours(1);

  static final Expired WITHOUT_TOKEN = new Expired("oauth_client", "created_at", "used_at is null");

  private static final Pattern REGISTERED = Pattern.compile("[0-9a-f-]{36}");

  private final Database database;
  private final ClientDocuments documents;
  private final UnclaimedRows unclaimed;
  private final LookUpLimit limit;

  Clients(
      Database database, ClientDocuments documents, UnclaimedRows unclaimed, LookUpLimit limit) {
    this.database = database;
    this.documents = documents;
    this.unclaimed = unclaimed;
    this.limit = limit;
  }

  /**
   * The client with that id; {@code invalid_client} if there is none.
   *
   * @param address the network address of the caller, whose turn the look-up waits for, and for
   *     which a document may have to be fetched
   * @throws Problem {@code UNAVAILABLE} if the document cannot be fetched at this moment
   */
  Client get(String id, String address) {
    return find(id, address)
        .orElseThrow(
            () ->
                OAuthError.of(
                    OAuth2Error.INVALID_CLIENT,
                    "There is no such client here; it may have to register again."));
  }

  private Optional<Client> find(String id, String address) {
    if (id.equals(Client.COMMAND_LINE.id())) {
      return Optional.of(Client.COMMAND_LINE);
    }
    if (REGISTERED.matcher(id).matches()) {
      return limit.lookUp(
          new Caller.Anonymous(address),
          () ->
              database.first(
                  "select id, name, redirect_uris from oauth_client where id = ?",
                  Clients::read,
                  id));
    }
    return documents.find(id, address);
  }

  /** Adds a client that registered itself, if there is room for one more without a token. */
  Client register(String name, List<String> redirectUris, String address, Instant now) {
    var network = UnclaimedRows.network(address);
    unclaimed.makeRoom(
        Quota.UNUSED_CLIENTS, WITHOUT_TOKEN, now.minus(MIN_TIME_TO_CONSENT), network);
    var client = registered(Ids.next().toString(), name, redirectUris);
    database.update(
        """
        insert into oauth_client (id, name, redirect_uris, network, created_at)
        values (?, ?, ?, ?, ?)
        """,
        client.id(),
        name,
        redirectUris.toArray(String[]::new),
        network,
        now);
    return client;
  }

  /** Records that a client is in use, once a day. */
  void used(String id, Instant now) {
    database.update(
        """
        update oauth_client set used_at = ? where id = ? and (used_at is null or used_at < ?)
        """,
        now,
        id,
        now.minus(Duration.ofDays(1)));
  }

  private static Client read(ResultSet row) throws SQLException {
    return registered(
        row.getString(1), row.getString(2), List.of((String[]) row.getArray(3).getArray()));
  }

  private static Client registered(String id, String name, List<String> redirectUris) {
    return new Client(
        id,
        name,
        redirectUris,
        "A program that registered itself here. It chose its name; nobody checked it.");
  }
}
