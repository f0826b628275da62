import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** A4 and A5: commands on the service's own machine, as root or by strangers. */
final class LocalSprites {
  private static final Pattern RAN_AS = Pattern.compile("ran as (\\d+)\\.");

  private LocalSprites() {}

  /** A4: variables of a credential set that act before the command is another user. */
  static Result environment() throws Exception {
    if (!"root".equals(System.getProperty("user.name"))) {
      return Result.skipped("needs root: only then does a command become another user");
    }
    var directory = Files.createTempDirectory("cairn-attack-root-");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    try (var service = Service.start(Map.of());
        var admin = Account.admin(service);
        var prober = Prober.start(service)) {
      admin.makeRepository("demo", "prey", "private");
      prober.endPhase();
      int accepted = 0;
      for (var variable : variables(directory).entrySet()) {
        accepted += isBound(admin, variable.getKey(), Map.ofEntries(variable)) ? 1 : 0;
      }
      isBound(admin, "together", together(directory));
      admin.commit("demo/prey", Account.note("a", "b")).expectSuccess();
      awaitRuns(admin, "demo/prey");
      long files = 0;
      boolean isLoaded = false;
      try (var written = Files.list(directory)) {
        for (var file : written.filter(LocalSprites::isRoots).toList()) {
          files++;
          isLoaded |= Files.readString(file).contains("libm.so");
        }
      }
      return prober.result(
          "%d of %d variables accepted; files written as root: %d; own library loaded as root: %s"
              .formatted(accepted, variables(directory).size(), files, isLoaded ? "yes" : "no"),
          accepted == 0 && files == 0);
    } finally {
      try (var files = Files.list(directory)) {
        files.forEach(file -> file.toFile().delete());
      }
      Files.delete(directory);
    }
  }

  /** These make the loader of each program write a file that says what it loaded. */
  private static Map<String, String> together(Path directory) {
    var variables = new LinkedHashMap<String, String>();
    variables.put("LD_PRELOAD", "libm.so.6");
    variables.put("LD_DEBUG", "files");
    variables.put("LD_DEBUG_OUTPUT", directory.resolve("ld").toString());
    return variables;
  }

  private static Map<String, String> variables(Path directory) {
    var variables = together(directory);
    variables.put("LD_TRACE_LOADED_OBJECTS", "1");
    variables.put("LD_LIBRARY_PATH", directory.toString());
    variables.put("GLIBC_TUNABLES", "glibc.malloc.check=3");
    variables.put("GCONV_PATH", directory.toString());
    variables.put("MALLOC_ARENA_MAX", "1");
    variables.put("BASH_ENV", directory.resolve("bash").toString());
    variables.put("ENV", directory.resolve("env").toString());
    variables.put("SHELLOPTS", "xtrace");
    variables.put("IFS", "/");
    variables.put("PATH", directory.toString());
    return variables;
  }

  /** Makes a set of these variables and a subscription; whether the one is bound to the other. */
  private static boolean isBound(Account admin, String name, Map<String, String> variables)
      throws Exception {
    var keys = new StringBuilder();
    variables.forEach(
        (key, value) ->
            keys.append(keys.isEmpty() ? "" : ",").append("\"%s\":\"%s\"".formatted(key, value)));
    var repository = "/api/repos/demo/prey";
    var put = admin.put(repository + "/credential-sets/" + name, "{\"keys\":{" + keys + "}}");
    makeSprite(admin, "demo/prey", name, "true").expectSuccess();
    return isAccepted(put)
        && isAccepted(
            admin.post(
                repository + "/subs/" + name + "/bind",
                "{\"credentialSetName\":\"" + name + "\"}"));
  }

  private static boolean isAccepted(Account.Answer answer) {
    if (!answer.isSuccess() && answer.status() != 400) {
      throw new IllegalStateException(answer.toString());
    }
    return answer.isSuccess();
  }

  private static boolean isRoots(Path file) {
    try {
      return Files.getOwner(file).getName().equals("root");
    } catch (IOException e) {
      return false;
    }
  }

  /** A5: somebody takes the name before the service makes the organization. */
  static Result signUpAsDemo() throws Exception {
    try (var service = Service.start(Map.of("CAIRN_DEMO", "false"))) {
      Account.signUp(service, "demo").close();
      if (!service.starts(Map.of())) {
        return Result.of("the second start was refused", true);
      }
      try (var anonymous = Account.anonymous(service);
          var prober = Prober.start(service)) {
        var stranger = anonymous.signIn("demo@example.org", Account.PASSWORD);
        prober.endPhase();
        var output = commandOutput(stranger, "demo");
        return prober.result(told(output), output.isEmpty());
      }
    }
  }

  /** A5: somebody takes the name after the genuine organization was renamed. */
  static Result takeRenamedDemo() throws Exception {
    try (var service = Service.start(Map.of());
        var admin = Account.admin(service)) {
      admin.patch("/api/orgs/demo", "{\"name\":\"genuine\"}").expectSuccess();
      Account.signUp(service, "demo").close();
      service.restart(Map.of());
      try (var anonymous = Account.anonymous(service);
          var prober = Prober.start(service)) {
        var stranger = anonymous.signIn("demo@example.org", Account.PASSWORD);
        prober.endPhase();
        var output = commandOutput(stranger, "demo");
        var genuine = commandOutput(admin, "genuine");
        return prober.result(
            told(output) + (genuine.isPresent() ? "" : "; the genuine one runs no commands"),
            output.isEmpty() && genuine.isPresent());
      }
    }
  }

  /** A5: the backend of this machine beside open sign-up. */
  static Result localWithOpenSignUp() throws Exception {
    try (var service = Service.stopped()) {
      if (!service.starts(Map.of("CAIRN_SPRITE_BACKEND", "local"))) {
        return Result.of("the start was refused", true);
      }
      try (var stranger = Account.signUp(service, "eve")) {
        var output = commandOutput(stranger, "eve");
        return Result.of(told(output), output.isEmpty());
      }
    }
  }

  private static String told(Optional<String> output) {
    return output.map(user -> "a stranger's command ran as " + user).orElse("no command ran");
  }

  /** The user that a command of this organization runs as; empty if it does not run. */
  private static Optional<String> commandOutput(Account account, String organization)
      throws Exception {
    account.makeRepository(organization, "commands", "private");
    var repository = organization + "/commands";
    makeSprite(account, repository, "id", "echo ran as $(id -u). >&2; exit 1").expectSuccess();
    account.commit(repository, Account.note("a", "b")).expectSuccess();
    var runs = awaitRuns(account, repository);
    var told = RAN_AS.matcher(runs);
    return told.find() ? Optional.of("user " + told.group(1)) : Optional.empty();
  }

  private static Account.Answer makeSprite(
      Account account, String repository, String name, String command) throws Exception {
    return account.post(
        "/api/repos/" + repository + "/subs",
        """
        {"name":"%s","kind":"sprite","shapeName":"Note","filterJson":{},
         "spriteConfig":{"command":"%s","inputMode":"stdin"}}"""
            .formatted(name, command));
  }

  /** The runs when none of them waits for its first attempt any more. */
  private static String awaitRuns(Account account, String repository) throws Exception {
    for (int i = 0; i < 150; i++) {
      var runs = account.get("/api/repos/" + repository + "/actions/runs?limit=200").body();
      if (runs.contains("\"status\"")
          && !runs.matches("(?s).*\"status\":\"(pending|running)\".*")) {
        return runs;
      }
      Thread.sleep(200);
    }
    throw new IllegalStateException("the runs of " + repository + " do not end");
  }
}
