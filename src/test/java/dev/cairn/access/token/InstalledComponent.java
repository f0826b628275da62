package dev.cairn.access.token;

import dev.cairn.Api;
import dev.cairn.access.authentication.AccountRows;
import dev.cairn.model.Sha256;
import dev.cairn.platform.Ids;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A component that is installed in a repository, for what is about its tokens alone. */
public final class InstalledComponent {
  private static final List<String> EVERYTHING = List.of("**");

  private final Database database = OwnConnections.database();
  private final ServiceTokens tokens = Sprites.tokens(database);
  private final UUID componentId = Ids.next();
  private final UUID installId = Ids.next();
  private final UUID repoId;
  private final String name;

  /** Registers a component of another organization, and installs it. */
  public InstalledComponent(String repository) {
    this.repoId = Api.repoId(repository);
    var owner = Api.newOrg();
    this.name = owner + "/watch";
    database.update(
        """
        insert into component
          (id, org_id, name, visibility, mints_token, newest, created_at, updated_at)
        values (?, (select id from organization where name = ?), 'watch', 'public', true, 1, now(),
                now())
        """,
        componentId,
        owner);
    database.update(
        """
        insert into component_version
          (component_id, number, version, manifest, manifest_hash, created_at)
        values (?, 1, '1.0.0', '{}', sha256('{}'), now())
        """,
        componentId);
    database.update(
        """
        insert into component_install
          (repo_id, id, component_id, state, number, created_at, updated_at)
        values (?, ?, ?, 'installed', 1, now(), now())
        """,
        repoId,
        installId,
        componentId);
  }

  /** The component, as {@code org/name}. */
  public String name() {
    return name;
  }

  /** A runtime token that may read and write everything; it replaces the former one. */
  public String token(String email) {
    return token(email, EVERYTHING, EVERYTHING);
  }

  /** A runtime token. */
  public String token(String email, List<String> reads, List<String> writes) {
    return mint(email, reads, writes).orElseThrow().token();
  }

  /** The token of a setup call that may read and write everything. */
  String setupToken(String email) {
    return tokens
        .mintSetupToken(repoId, installId, AccountRows.id(email), EVERYTHING, EVERYTHING, null)
        .orElseThrow()
        .token();
  }

  private Optional<ServiceTokens.Minted> mint(
      String email, List<String> reads, List<String> writes) {
    return tokens.mintRuntimeToken(repoId, installId, AccountRows.id(email), reads, writes);
  }

  /** Whether a runtime token is minted. */
  boolean isMinted(String email, List<String> reads, List<String> writes) {
    return mint(email, reads, writes).isPresent();
  }

  /** How long the runtime token lives from now; zero if there is no live one. */
  Duration lifetime() {
    return tokens
        .liveRuntimeToken(repoId, installId)
        .map(token -> Duration.between(Instant.now(), token.expiresAt()))
        .orElse(Duration.ZERO);
  }

  /** Ends all tokens of the install. */
  public void revoke() {
    tokens.revoke(repoId, installId);
  }

  /** Changes the state of the install. */
  public void state(String state) {
    database.update(
        "update component_install set state = ?, number = ? where id = ?",
        state,
        state.equals("resolved") ? null : 1,
        installId);
  }

  /** Changes whether the component mints tokens. */
  void mints(boolean mintsToken) {
    database.update("update component set mints_token = ? where id = ?", mintsToken, componentId);
  }

  /** Deregisters the component. */
  public void deregister() {
    database.update("update component set deregistered_at = now() where id = ?", componentId);
  }

  /** Gives a token other scopes, with ' for ", before it is used. */
  public void scopes(String token, String scopes) {
    database.update(
        "update service_token set scopes = ? where hash = ?",
        scopes.replace('\'', '"'),
        Sha256.of(token));
  }

  /** Has a token expired. */
  public void expire(String token) {
    database.update(
        "update service_token set expires_at = now() - interval '1 ms' where hash = ?",
        Sha256.of(token));
  }
}
