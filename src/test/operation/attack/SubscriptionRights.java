import java.util.Base64;
import java.util.Map;
import java.util.regex.Pattern;

/** A3: subscriptions that somebody changes to act with rights or secrets that are not theirs. */
final class SubscriptionRights {
  private static final String SUBS = "/api/repos/demo/prey/subs";
  private static final String ALL =
      "\"repo:read\",\"repo:write\",\"repo:configure\",\"repo:admin\"";

  /** Shows its token in the message of the failed attempt, in a form that is not masked. */
  private static final String TELL =
      "echo token=$(echo $CAIRN_TOKEN | base64 | tr -d '\\\\n'). >&2; exit 1";

  private static final Pattern TOLD = Pattern.compile("token=([A-Za-z0-9+/=]+)\\.");
  private static final String SECRET = "the-secret-of-the-organization";

  /** Changes of what a command does, each as good as a changed command. */
  private static final Map<String, String> CHANGES =
      Map.of(
          "gitRepo", "eve/evil",
          "ref", "evil",
          "inputMode", "stdin",
          "inputPath", "run.sh",
          "spriteName", "evil",
          "spritePool", "evil");

  private final Account admin;
  private final Account editor;
  private final Receiver receiver;
  private final Tally got = new Tally();
  private int notes;
  private int refused;

  private SubscriptionRights(Account admin, Account editor, Receiver receiver) {
    this.admin = admin;
    this.editor = editor;
    this.receiver = receiver;
  }

  static Result run() throws Exception {
    try (var receiver = new Receiver();
        var service = Service.start(Map.of("CAIRN_EGRESS_ALLOW", "127.0.0.1"));
        var admin = Account.admin(service);
        var editor = Account.signUp(service, "editor");
        var prober = Prober.start(service)) {
      admin
          .put("/api/orgs/demo/members/editor@example.org", "{\"role\":\"editor\"}")
          .expectSuccess();
      admin.makeRepository("demo", "prey", "private");
      prober.endPhase();
      return new SubscriptionRights(admin, editor, receiver).attack(prober);
    }
  }

  private Result attack(Prober prober) throws Exception {
    changedCommand();
    for (var change : CHANGES.entrySet()) {
      changedField(change.getKey(), change.getValue());
    }
    resumed();
    commandOfOwnerByNarrowToken();
    commandBySpriteToken();
    redirectedSecret();
    boundSecret();
    return prober.result(
        "%d changes refused%s".formatted(refused, got.total() == 0 ? "" : "; " + got),
        got.total() == 0);
  }

  private void changedCommand() throws Exception {
    makeSprite("tidy", "true", ALL, true);
    if (isAccepted(editor.patch(SUBS + "/tidy", command(TELL)), "command changed by an editor")) {
      commit();
      useAsAdmin(tokenOf("tidy"), "an editor");
    }
  }

  private void useAsAdmin(String token, String who) throws Exception {
    var answer = admin.with(token).patch("/api/repos/demo/prey", "{\"visibility\":\"public\"}");
    if (answer.isSuccess()) {
      got.add("repository made public by " + who + " with an admin's token");
      admin.patch("/api/repos/demo/prey", "{\"visibility\":\"private\"}").expectSuccess();
    }
  }

  private void changedField(String field, String value) throws Exception {
    var name = "with-" + field;
    makeSprite(name, "true", ALL, false);
    isAccepted(
        editor.patch(
            SUBS + "/" + name, "{\"spriteConfig\":{\"%s\":\"%s\"}}".formatted(field, value)),
        field + " changed by an editor");
  }

  private void resumed() throws Exception {
    makeSprite("paused", "true", ALL, false);
    isAccepted(editor.post(SUBS + "/paused/resume", "{}"), "resumed by an editor");
    admin.post(SUBS + "/paused/pause", "{}").expectSuccess();
  }

  private void commandOfOwnerByNarrowToken() throws Exception {
    makeSprite("narrow", "true", ALL, true);
    var token =
        admin
            .post(
                "/api/pats",
                "{\"name\":\"narrow\",\"scopes\":[{\"resource\":\"demo/prey\",\"permissions\":[\"repo:write\"]}]}")
            .expectSuccess()
            .value("token");
    var narrow = admin.with(token);
    if (isAccepted(
        narrow.patch(SUBS + "/narrow", command(TELL)), "command changed with repo:write alone")) {
      commit();
      useAsAdmin(tokenOf("narrow"), "a token with repo:write alone");
    }
  }

  private void commandBySpriteToken() throws Exception {
    makeSprite("worker", TELL, "\"repo:read\",\"repo:write\"", true);
    makeSprite("boss", "true", ALL, false);
    commit();
    var sprite = admin.with(tokenOf("worker"));
    isAccepted(sprite.patch(SUBS + "/boss", command(TELL)), "command changed by a sprite");
  }

  private void redirectedSecret() throws Exception {
    admin
        .put(
            "/api/repos/demo/prey/credential-sets/key",
            "{\"keys\":{\"WEBHOOK_BEARER_TOKEN\":\"" + SECRET + "\"}}")
        .expectSuccess();
    makeWebhook(admin, "told", receiver.url("/ok/told")).expectSuccess();
    admin.post(SUBS + "/told/bind", "{\"credentialSetName\":\"key\"}").expectSuccess();
    var url = "{\"webhookUrl\":\"" + receiver.url("/redirected") + "\"}";
    if (isAccepted(editor.patch(SUBS + "/told", url), "webhookUrl of a bound one changed")) {
      awaitSecret("a secret at a redirected webhook");
    }
  }

  private void boundSecret() throws Exception {
    makeWebhook(editor, "own", receiver.url("/own")).expectSuccess();
    var set = "{\"credentialSetName\":\"key\"}";
    if (isAccepted(editor.post(SUBS + "/own/bind", set), "a secret bound by an editor")) {
      awaitSecret("a secret at the editor's own webhook");
    }
  }

  private void awaitSecret(String what) throws Exception {
    receiver.authorizations().clear();
    commit();
    for (int i = 0; i < 100 && receiver.authorizations().isEmpty(); i++) {
      Thread.sleep(100);
    }
    if (receiver.authorizations().contains("Bearer " + SECRET)) {
      got.add(what);
    }
  }

  private boolean isAccepted(Account.Answer answer, String what) {
    if (answer.isSuccess()) {
      got.add(what);
      return true;
    }
    if (answer.status() != 403) {
      throw new IllegalStateException(what + ": " + answer);
    }
    refused++;
    return false;
  }

  private Account.Answer makeWebhook(Account maker, String name, String url) throws Exception {
    return maker.post(
        SUBS,
        """
        {"name":"%s","kind":"webhook","shapeName":"Note","filterJson":{},"webhookUrl":"%s"}"""
            .formatted(name, url));
  }

  private void makeSprite(String name, String command, String permissions, boolean isActive)
      throws Exception {
    admin
        .post(
            SUBS,
            """
            {"name":"%s","kind":"sprite","shapeName":"Note","filterJson":{},"active":%s,
             "spriteConfig":{"command":"%s","inputMode":"json-file","gitRepo":"none","ref":"main"},
             "tokenScopes":[{"permissions":[%s]}]}"""
                .formatted(name, isActive, command, permissions))
        .expectSuccess();
  }

  private static String command(String command) {
    return "{\"spriteConfig\":{\"command\":\"" + command + "\"}}";
  }

  private void commit() throws Exception {
    admin.commit("demo/prey", Account.note("n" + notes++, "x")).expectSuccess();
  }

  /** The token of an attempt of this subscription, out of the message of its failure. */
  private String tokenOf(String subscription) throws Exception {
    for (int i = 0; i < 150; i++) {
      var runs = editor.get("/api/repos/demo/prey/actions/runs?limit=200").body();
      for (var run : runs.split("\\{\"runId\"")) {
        var told = TOLD.matcher(run);
        if (run.contains("\"subscriptionName\":\"" + subscription + "\"") && told.find()) {
          return new String(Base64.getDecoder().decode(told.group(1))).strip();
        }
      }
      Thread.sleep(200);
    }
    throw new IllegalStateException("no run of " + subscription + " told its token");
  }
}
