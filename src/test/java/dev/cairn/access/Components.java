package dev.cairn.access;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.model.Sha256;
import dev.cairn.platform.OwnConnections;

/** Tokens of a component, as an installation would make them. */
public final class Components {
  private Components() {}

  /**
   * A token that is good for an hour.
   *
   * @param email of the account that installed the component
   * @param scopes as JSON, with ' for "
   */
  public static String token(String repository, String email, String scopes) {
    var token = TokenFormat.COMPONENT.random();
    int made =
        OwnConnections.database()
            .update(
                """
                insert into service_token
                  (repo_id, hash, account_id, component, scopes, created_at, expires_at)
                select ?, ?, a.id, 'crm', ?, now(), now() + interval '1 h'
                from account a where a.email = ?
                """,
                Api.repoId(repository),
                Sha256.of(token),
                scopes.replace('\'', '"'),
                email);
    assertEquals(1, made);
    return token;
  }
}
