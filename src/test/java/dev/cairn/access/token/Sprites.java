package dev.cairn.access.token;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.Api;
import dev.cairn.access.MemberRoles;
import dev.cairn.action.Attempt;
import dev.cairn.platform.Body;
import dev.cairn.platform.Ids;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * A sprite's subscription on a repository and a run of it, for what is about their tokens alone.
 */
public final class Sprites {
  /** The token in the callback URL of every {@link #attempt}. */
  public static final String CALLBACK_TOKEN = "Zm9yLXRoZS1jYWxsYmFjay1vZi1vbmUtcnVu";

  /** Of the run. */
  public static final int DEPTH = 3;

  private final Database database = OwnConnections.database();
  private final ServiceTokens tokens = tokens(database);
  private final UUID repoId;
  private final String name = Api.unique("sprite");
  private final UUID subscriptionId = Ids.next();
  private final UUID runId = Ids.next();
  private final UUID traceId = Ids.next();

  /** Makes both, in an organization whose sprites are run. */
  public Sprites(String repository) {
    this.repoId = Api.repoId(repository);
    trust(repository);
    database.update(
        """
        insert into subscription
          (repo_id, id, name, kind, executor_kind, active, source_repo_id, shape_id, filter,
           allow_trace_reentry, notify_on_success, workspace_policy, base_url, created_at,
           updated_at)
        values (?, ?, ?, 'sprite', 'sprite', false, ?, 100, '{}', false, false, 'ignore',
                'http://cairn.example', now(), now())
        """,
        repoId,
        subscriptionId,
        name,
        repoId);
    database.update(
        """
        insert into action_run
          (repo_id, id, subscription_id, subscription_name, commit_id, matched, envelope,
           executor_kind, target, trace_id, depth, status, max_attempts, created_at, updated_at,
           ended_at)
        values (?, ?, ?, ?, '0123456789abcdef', '{}', '{}', 'sprite', 'sprite:x', ?, ?, 'succeeded',
                7, now(), now(), now())
        """,
        repoId,
        runId,
        subscriptionId,
        name,
        traceId,
        DEPTH);
  }

  /** Has the sprites of a repository's organization run, as those of the demo repository are. */
  public static void trust(String repository) {
    OwnConnections.database()
        .update(
            """
            update organization o set is_demo = true
            from repository r where r.id = ? and o.id = r.org_id
            """,
            Api.repoId(repository));
  }

  /** Makes and looks after the tokens, as the service does. */
  static ServiceTokens tokens(Database database) {
    return new ServiceTokens(
        database,
        new MemberRoles(database),
        new ObjectMapper().setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL));
  }

  /** What the subscription is called. */
  public String name() {
    return name;
  }

  /** The run. */
  public UUID runId() {
    return runId;
  }

  /** The trace that the run belongs to. */
  public UUID traceId() {
    return traceId;
  }

  /**
   * The token of an attempt at the run, good for ten minutes.
   *
   * @param email of the account for which it acts
   * @param tokenScopes the subscription's, with ' for "
   */
  public Optional<String> token(String email, String tokenScopes) {
    var accountId =
        database
            .first(
                "select id from account where email = ?",
                row -> row.getObject(1, UUID.class),
                email)
            .orElseThrow();
    return tokens.mint(
        repoId, runId, 1, accountId, tokenScopes.replace('\'', '"'), Duration.ofMinutes(10));
  }

  /** Deletes the subscription; its run stays. */
  public void deleteSubscription() {
    database.update("delete from subscription where id = ?", subscriptionId);
  }

  /**
   * Says what the sprite runs.
   *
   * @param config a spriteConfig, with ' for "
   * @param tokenScopes the same; null for none
   * @param principal an e-mail address; null for none
   */
  public void configure(String config, String tokenScopes, String principal) {
    database.update(
        """
        update subscription set sprite_config = ?, token_scopes = ?,
          principal_id = (select id from account where email = ?)
        where id = ?
        """,
        config.replace('\'', '"'),
        tokenScopes == null ? null : tokenScopes.replace('\'', '"'),
        principal,
        subscriptionId);
  }

  /** The first attempt at the run. */
  public Attempt attempt(String org, String repo, byte[] body) {
    return new Attempt(
        repoId,
        repoId,
        org,
        repo,
        runId,
        subscriptionId,
        name,
        1,
        traceId,
        "00-" + traceId + "-1-01",
        CALLBACK_TOKEN,
        Body.of(body));
  }
}
