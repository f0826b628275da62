package dev.cairn.sprite;

import static dev.cairn.Api.admin;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.Api;
import dev.cairn.TestDatabase;
import dev.cairn.access.MemberRoles;
import dev.cairn.access.token.ServiceTokens;
import dev.cairn.access.token.Sprites;
import dev.cairn.action.Outcome;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.Configs;
import dev.cairn.platform.LocalCommands;
import dev.cairn.platform.database.Database;
import dev.cairn.subscription.CredentialSets;
import dev.cairn.work.Ongoing;
import dev.cairn.work.Step;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.arc.All;
import jakarta.inject.Inject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Attempts of a sprite that are carried out by the bean, in a private repository of their own. */
abstract class SpriteExecutions {
  static final String STDIN = "'inputMode':'stdin'";

  @Inject SpriteExecutor executor;
  @Inject Database database;
  @Inject ServiceTokens tokens;
  @Inject CredentialSets credentials;
  @Inject MemberRoles roles;
  @Inject @All List<SpriteBackend> backends;
  @Inject MeterRegistry metrics;

  @TempDir Path files;

  String repository;
  Sprites sprite;

  @BeforeAll
  static void commandsCanRun() {
    assumeTrue(LocalCommands.obstacle().isEmpty(), () -> LocalCommands.obstacle().orElseThrow());
  }

  @BeforeEach
  void subscription() throws Exception {
    // Commands may be somebody else, who leaves files here.
    Files.setPosixFilePermissions(files, PosixFilePermissions.fromString("rwxrwxrwx"));
    repository = Api.newRepository("private");
    sprite = new Sprites(repository);
  }

  String org() {
    return repository.split("/", -1)[3];
  }

  /** Another one than the bean. */
  final SpriteExecutor executor(Map<String, String> settings, List<SpriteBackend> some) {
    CairnConfig config = Configs.of(settings);
    return new SpriteExecutor(
        database,
        tokens,
        credentials,
        roles,
        new SpriteOrganizations(database, config),
        config,
        some,
        metrics);
  }

  Step<Outcome> execute(String config) throws Exception {
    sprite.configure(config, null, TestDatabase.ADMIN_EMAIL);
    return executor.execute(sprite.attempt(org(), "repo", "{}".getBytes(UTF_8)));
  }

  Step<Outcome> command(String command) throws Exception {
    return execute(
        "{'command':" + new ObjectMapper().writeValueAsString(command) + "," + STDIN + "}");
  }

  static Outcome result(Step<Outcome> step) {
    return switch (step) {
      case Step.Ended<Outcome>(var outcome) -> outcome;
      case Ongoing<Outcome> _ -> throw new AssertionError("it has not ended");
    };
  }

  static Ongoing<Outcome> ongoing(Step<Outcome> step) {
    return switch (step) {
      case Step.Ended<Outcome>(var outcome) -> throw new AssertionError(outcome);
      case Ongoing<Outcome> ongoing -> ongoing;
    };
  }

  static Outcome.Failed failed(Step<Outcome> step, String code, boolean retryable) {
    var failed = assertInstanceOf(Outcome.Failed.class, result(step));
    assertEquals(code, failed.code(), failed::message);
    assertEquals(retryable, failed.isRetryable());
    assertFalse(failed.mustPause());
    return failed;
  }

  Map<String, String> environment() throws Exception {
    return Files.readString(files.resolve("env"))
        .lines()
        .filter(line -> line.contains("="))
        .collect(
            Collectors.toMap(
                line -> line.substring(0, line.indexOf('=')),
                line -> line.substring(line.indexOf('=') + 1)));
  }

  String writeEnvironment() {
    return "env > " + files.resolve("env");
  }

  /** Binds a credential set with these keys to the subscription. */
  void bind(Map<String, String> keys) {
    admin()
        .body(Map.of("keys", keys))
        .put(repository + "/credential-sets/set")
        .then()
        .statusCode(200);
    admin()
        .body(Map.of("credentialSetName", "set"))
        .post(repository + "/subs/" + sprite.name() + "/bind")
        .then()
        .statusCode(200);
  }
}
