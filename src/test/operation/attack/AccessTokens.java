import java.util.List;
import java.util.Map;

/** A7 and A8: tokens that do more, or for longer, than they may. */
final class AccessTokens {
  private AccessTokens() {}

  /** A7: an access token after its sign-in was ended, and after the password was changed. */
  static Result afterLogout() throws Exception {
    try (var service = Service.start(Map.of());
        var anonymous = Account.anonymous(service);
        var prober = Prober.start(service)) {
      var got = new Tally();
      Account.signUp(service, "eve").close();
      prober.endPhase();
      var signedIn = anonymous.signInAnswer("eve@example.org", Account.PASSWORD);
      anonymous
          .post("/api/auth/logout", "{\"refreshToken\":\"" + signedIn.value("refreshToken") + "\"}")
          .expectSuccess();
      use(anonymous.with(signedIn.value("accessToken")), "after logout", got);

      var stolen = anonymous.signIn("eve@example.org", Account.PASSWORD);
      anonymous
          .signIn("eve@example.org", Account.PASSWORD)
          .post(
              "/api/auth/password",
              "{\"currentPassword\":\"%s\",\"newPassword\":\"another horse\"}"
                  .formatted(Account.PASSWORD))
          .expectSuccess();
      use(stolen, "after a change of password", got);
      return prober.result(got.toString(), got.count("refused") == 6);
    }
  }

  private static void use(Account stolen, String when, Tally got) throws Exception {
    var name = when.replace(' ', '-');
    count(
        stolen.post("/api/pats", "{\"name\":\"" + name + "\"}"),
        "a token for 30 days " + when,
        got);
    count(stolen.get("/api/orgs/eve"), "reads " + when, got);
    count(stolen.post("/api/orgs/eve/repos", "{\"name\":\"" + name + "\"}"), "writes " + when, got);
  }

  private static void count(Account.Answer answer, String what, Tally got) {
    got.add(answer.status() == 401 ? "refused" : what);
  }

  /** A8: a token that may not read gets content at a webhook of its own. */
  static Result withoutRead() throws Exception {
    try (var receiver = new Receiver();
        var service = Service.start(Map.of("CAIRN_EGRESS_ALLOW", "127.0.0.1"));
        var owner = Account.signUp(service, "owner");
        var prober = Prober.start(service)) {
      owner.makeRepository("owner", "secrets", "private");
      prober.endPhase();
      var got = new Tally();
      for (var permissions :
          List.of("\"repo:configure\"", "\"repo:write\"", "\"repo:write\",\"repo:configure\"")) {
        got.add(subscribe(owner, permissions, receiver));
      }
      owner.commit("owner/secrets", Account.note("a", "the secret")).expectSuccess();
      Thread.sleep(5_000);
      long delivered =
          receiver.bodies().stream().filter(body -> body.contains("the secret")).count();
      return prober.result(
          "%s; the secret was delivered %d times".formatted(got, delivered),
          got.count("refused") == 3 && delivered == 0);
    }
  }

  private static String subscribe(Account owner, String permissions, Receiver receiver)
      throws Exception {
    var name = permissions.replaceAll("[^a-z]+", "-").replaceAll("^-|-$", "");
    var token =
        owner
            .post(
                "/api/pats",
                "{\"name\":\"%s\",\"scopes\":[{\"resource\":\"owner/secrets\",\"permissions\":[%s]}]}"
                    .formatted(name, permissions))
            .expectSuccess()
            .value("token");
    int status =
        owner
            .with(token)
            .post(
                "/api/repos/owner/secrets/subs",
                """
                {"name":"%s","kind":"webhook","shapeName":"Note","filterJson":{},"webhookUrl":"%s"}"""
                    .formatted(name, receiver.url("/" + name)))
            .status();
    return status == 403 ? "refused" : "subscriptions made without repo:read";
  }
}
