package dev.cairn.sprite;

import dev.cairn.access.MemberRoles;
import dev.cairn.access.Permission;
import dev.cairn.access.Role;
import dev.cairn.access.token.ServiceTokens;
import dev.cairn.action.Attempt;
import dev.cairn.action.Codes;
import dev.cairn.action.Executor;
import dev.cairn.action.Outcome;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Database;
import dev.cairn.subscription.CredentialSets;
import dev.cairn.subscription.SpriteConfig;
import dev.cairn.subscription.SpriteVariables;
import dev.cairn.work.Step;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.arc.All;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** Carries out attempts by running a command; {@code docs/sprites.md} has the rules. */
@ApplicationScoped
public class SpriteExecutor implements Executor {
  private static final int TOKEN_MINUTES = 10;
  private static final String INPUT_PATH = "input.json";

  /** Linux limits a variable to 128 KiB, including its name and the terminating zero. */
  static final int MAX_VARIABLE = 128 * 1024 - (SpriteRun.INPUT + "=").length() - 1;

  private final Database database;
  private final ServiceTokens tokens;
  private final CredentialSets credentials;
  private final MemberRoles roles;
  private final SpriteOrganizations organizations;
  private final CairnConfig.Sprite config;
  private final List<SpriteBackend> backends;
  private final MeterRegistry metrics;

  /**
   * The command, the principal and the secrets of one moment. They must not be combined from two
   * moments: whoever binds secrets or becomes the principal trusts the command of that moment, not
   * an earlier one.
   *
   * @param principal the account that the command acts for; null if it was deleted
   * @param baseUrl where the command sends its token
   */
  private record Found(
      SpriteConfig sprite,
      String tokenScopes,
      String credentialSet,
      UUID principal,
      String baseUrl) {}

  SpriteExecutor(
      Database database,
      ServiceTokens tokens,
      CredentialSets credentials,
      MemberRoles roles,
      SpriteOrganizations organizations,
      CairnConfig config,
      @All List<SpriteBackend> backends,
      MeterRegistry metrics) {
    this.database = database;
    this.tokens = tokens;
    this.credentials = credentials;
    this.roles = roles;
    this.organizations = organizations;
    this.config = config.sprite();
    this.backends = backends;
    this.metrics = metrics;
  }

  @Override
  public String kind() {
    return "sprite";
  }

  @Override
  public Step<Outcome> execute(Attempt attempt) throws InterruptedException {
    var found = find(attempt);
    if (found.isEmpty()) {
      return new Step.Ended<>(
          Outcome.Failed.terminal(Codes.SUBSCRIPTION_DELETED, "The subscription was deleted."));
    }
    try {
      return execute(attempt, found.get(), keys(attempt, found.get()));
    } catch (SpriteException e) {
      return new Step.Ended<>(Outcome.Failed.terminal(e.error().name(), e.getMessage()));
    }
  }

  private Step<Outcome> execute(Attempt attempt, Found found, Map<String, String> keys)
      throws InterruptedException {
    var sprite = new RunningSprite(metrics, config.backend().orElse("none"), keys.values());
    return sprite.step(
        () -> {
          refuseLost(attempt, found.principal());
          var backend = backend(attempt);
          var run =
              run(
                  attempt,
                  found,
                  keys,
                  () -> {
                    refuseChanged(attempt, found);
                    refuseLost(attempt, found.principal());
                    var secrets = secrets(attempt, found, keys(attempt, found));
                    mask(sprite, attempt, found, secrets, backend);
                    return secrets;
                  });
          mask(sprite, attempt, found, run.secrets(), backend);
          return backend.begin(run);
        });
  }

  /** Refuses to run a command if its subscription has changed since it was read. */
  private void refuseChanged(Attempt attempt, Found found) throws SpriteException {
    var now = find(attempt);
    if (now.isEmpty()) {
      throw SpriteException.terminal(
          SpriteError.SUBSCRIPTION_DELETED,
          "The subscription was deleted during the checkout, or runs no command any more.");
    }
    if (!now.get().equals(found)) {
      throw SpriteException.retryable(
          SpriteError.SPRITE_CREATE_FAILED,
          "The subscription was changed while its repository was checked out, so its command was"
              + " not run. The next attempt uses the subscription as it is then.");
    }
  }

  private void mask(
      RunningSprite sprite,
      Attempt attempt,
      Found found,
      Map<String, String> secrets,
      SpriteBackend backend) {
    var masked = new ArrayList<>(secrets.values());
    masked.add(attempt.callbackToken());
    masked.addAll(backend.secrets()); // A command may end with others than it began with.
    var ofGit = GitSource.secrets(config.gitBase());
    // Elsewhere, git may run with the command and write to the same output.
    if (found.sprite().clones() && !config.backend().equals(Optional.of(LocalBackend.NAME))) {
      masked.addAll(ofGit);
    }
    sprite.mask(masked, ofGit, backend::secrets);
  }

  private Optional<Found> find(Attempt attempt) {
    return database.first(
        """
        select sprite_config, token_scopes, credential_set, principal_id, base_url from subscription
        where repo_id = ? and id = ? and sprite_config is not null
        """,
        row ->
            new Found(
                SpriteConfig.of(row.getString("sprite_config")),
                row.getString("token_scopes"),
                row.getString("credential_set"),
                row.getObject("principal_id", UUID.class),
                row.getString("base_url")),
        attempt.repoId(),
        attempt.subscriptionId());
  }

  /** Refuses to run a command if its principal may no longer set commands. */
  private void refuseLost(Attempt attempt, UUID principal) throws SpriteException {
    var role = roles.in(attempt.repoId(), principal);
    if (role.filter(SpriteExecutor::setsCommands).isEmpty()) {
      throw SpriteException.terminal(
          SpriteError.SPRITE_AUTH_MISSING,
          "The subscription's principal may no longer change subscriptions of the repository."
              + " Pause and resume the subscription to make it act for you.");
    }
  }

  private static boolean setsCommands(Role role) {
    return role.grants(Permission.REPO_WRITE) || role.grants(Permission.REPO_CONFIGURE);
  }

  private SpriteBackend backend(Attempt attempt) throws SpriteException {
    if (!organizations.trusts(attempt.repoId())) {
      throw SpriteException.terminal(
          SpriteError.SPRITE_AUTH_MISSING, "This service runs no sprites for this organization.");
    }
    return backends.stream()
        .filter(backend -> config.backend().filter(backend.name()::equals).isPresent())
        .findFirst()
        .orElseThrow(
            () ->
                SpriteException.terminal(
                    SpriteError.SPRITE_AUTH_MISSING, "This service has no backend for sprites."));
  }

  private SpriteRun run(
      Attempt attempt, Found found, Map<String, String> keys, SpriteRun.Renewal renewal)
      throws SpriteException {
    var sprite = found.sprite();
    var mode = InputMode.of(sprite.inputMode());
    if (mode == InputMode.ENV && attempt.body().length() > MAX_VARIABLE) {
      throw SpriteException.terminal(
          SpriteError.SPRITE_EXECUTION_FAILED,
          "The input has %,d bytes, and `env` takes at most %,d; use `stdin` or `json-file`."
              .formatted(attempt.body().length(), MAX_VARIABLE));
    }
    return new SpriteRun(
        attempt.runId(),
        attempt.number(),
        sprite.container(attempt.org(), attempt.repo(), attempt.subscriptionName()),
        sprite.spritePool() == null ? null : attempt.repository() + "/" + sprite.spritePool(),
        sprite.command(),
        mode,
        inputPath(Objects.requireNonNullElse(sprite.inputPath(), INPUT_PATH)),
        attempt.body(),
        sprite.clones() ? GitSource.of(config.gitBase(), sprite.gitRepo(), sprite.ref()) : null,
        environment(attempt, found),
        secrets(attempt, found, keys),
        renewal,
        config.timeout());
  }

  /** The path, if it stays in the working directory. */
  private static String inputPath(String path) throws SpriteException {
    var segments = List.of(path.split("/", -1));
    if (path.indexOf('\0') >= 0
        || segments.contains("")
        || segments.contains(".")
        || segments.contains("..")
        || segments.getFirst().equals(".git")) {
      throw SpriteException.terminal(
          SpriteError.SPRITE_CREATE_FAILED, "`inputPath` leads out of the working directory.");
    }
    return path;
  }

  private static Map<String, String> environment(Attempt attempt, Found found) {
    return Map.of(
        "CAIRN_API_URL", found.baseUrl(),
        "CAIRN_REPO", attempt.repository(),
        "CAIRN_RUN_ID", attempt.runId().toString(),
        "CAIRN_ATTEMPT", Integer.toString(attempt.number()),
        "CAIRN_TRACE_ID", attempt.traceId().toString());
  }

  /** The keys of the bound credential set, if there is one. */
  private Map<String, String> keys(Attempt attempt, Found found) throws SpriteException {
    var keys =
        credentials
            .open(attempt.repoId(), found.credentialSet(), found.principal())
            .orElseThrow(
                () ->
                    SpriteException.terminal(
                        SpriteError.CREDENTIALS_UNAVAILABLE,
                        "The bound credential set is missing, revoked or cannot be read, or the"
                            + " subscription's principal, or an account that set one of its keys,"
                            + " may no longer use it."));
    var refused = SpriteVariables.firstRefused(keys.keySet());
    if (refused.isPresent()) {
      throw SpriteException.terminal(
          SpriteError.CREDENTIALS_UNAVAILABLE,
          // Only the first line is for everybody who sees the run.
          "The bound credential set has a key that is not allowed as a variable of a sprite.\nIt is `%s`."
              .formatted(refused.get()));
    }
    return keys;
  }

  private Map<String, String> secrets(Attempt attempt, Found found, Map<String, String> keys) {
    var secrets = new LinkedHashMap<String, String>();
    keys.forEach(
        (name, value) -> {
          // A variable holds no character U+0000.
          if (value.indexOf('\0') < 0) {
            secrets.put(name, value);
          }
        });
    token(attempt, found).ifPresent(token -> secrets.put("CAIRN_TOKEN", token));
    return secrets;
  }

  private Optional<String> token(Attempt attempt, Found found) {
    if (found.tokenScopes() == null || found.principal() == null) {
      return Optional.empty();
    }
    var minutes = Objects.requireNonNullElse(found.sprite().tokenTtlMinutes(), TOKEN_MINUTES);
    return tokens.mint(
        attempt.repoId(),
        attempt.runId(),
        attempt.number(),
        found.principal(),
        found.tokenScopes(),
        Duration.ofMinutes(minutes));
  }
}
